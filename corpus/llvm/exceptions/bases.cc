//@ paths: 7
//@ apart: bmc does not follow an exception whose address depends on the path, where objects lie
// Handlers by the bases of what is thrown: single, multiple, virtual, ambiguous, private.
#include <effigy.h>
#include <stdio.h>

struct A { int a; A(int a) : a(a) {} virtual ~A() {} };
struct B : A { int b; B() : A(1), b(2) {} };
struct X { int x = 5; virtual ~X() {} };
struct M : X, B { int m = 3; };
struct V1 : virtual A { V1() : A(7) {} };
struct V2 : virtual A { V2() : A(8) {} };
struct D : V1, V2 { int d = 4; D() : A(9) {} };
struct L : A { L() : A(11) {} };
struct R : A { R() : A(12) {} };
struct Both : L, R { int z = 6; };
struct P : private A { P() : A(13) {} int p = 14; };

static void raise(int which) {
    switch (which) {
    case 0: throw B();
    case 1: throw M();
    case 2: throw D();
    case 3: throw Both();
    case 4: throw P();
    case 5: throw A(20);
    }
}

static int handle(int which) {
    try {
        raise(which);
    } catch (A &it) {
        printf("A %d\n", it.a);
        return it.a;
    } catch (R &it) {
        printf("R %d\n", it.a);
        return 100 + it.a;
    } catch (P &it) {
        printf("P %d\n", it.p);
        return 200 + it.p;
    }
    return 0;
}

int main() {
    int which = effigy_uchar("which");
    effigy_assume(which <= 6);
    return handle(which);
}
