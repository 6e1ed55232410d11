//@ paths: 9
//@ apart: bmc does not follow an exception whose address depends on the path, where objects lie
// By value, by reference, by pointer: derived to base, to void, qualified, null; and what is not converted.
#include <effigy.h>
#include <stdio.h>

struct A { int a = 1; virtual ~A() {} };
struct B { int b = 2; virtual ~B() {} };
struct C : A, B { int c = 3; };
enum Colour { RED, GREEN };
static C object;
static void function() {}

static void raise(int which) {
    switch (which) {
    case 0: throw 7;
    case 1: throw 7L;
    case 2: throw "text";
    case 3: throw &object;
    case 4: throw (const C *)&object;
    case 5: throw nullptr;
    case 6: throw &function;
    case 7: throw GREEN;
    default: throw &C::c;
    }
}

static int handle(int which) {
    try {
        raise(which);
    } catch (unsigned) {
        return 1;
    } catch (int it) {
        return it;
    } catch (long &it) {
        it++;
        return 10 + it;
    } catch (char *) {
        return 2;
    } catch (const char *it) {
        return it[0];
    } catch (B *it) {
        return it ? 30 + it->b : 31;
    } catch (const B *it) {
        return 40 + it->b;
    } catch (const void *) {
        return 3;
    } catch (Colour it) {
        return 50 + it;
    } catch (int C::*it) {
        return object.*it;
    } catch (...) {
        return 4;
    }
    return 0;
}

int main() {
    int which = effigy_uchar("which");
    effigy_assume(which < 9);
    int res = handle(which);
    printf("%d\n", res);
    return res;
}
