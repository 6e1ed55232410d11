//@ paths: 8
//@ apart: bmc does not follow an exception whose address depends on the path, where objects lie
// dynamic_cast down, across, to virtual bases, to void, of references; typeid.
#include <effigy.h>
#include <stdio.h>
#include <string.h>
#include <typeinfo>

struct A { int a = 1; virtual ~A() {} };
struct B : A { int b = 2; };
struct C { int c = 3; virtual ~C() {} };
struct D : B, C { int d = 4; };
struct V : virtual A { int v = 5; };
struct W : virtual A { int w = 6; };
struct X : V, W { int x = 7; };
struct L : A {};
struct R : A {};
struct T : L, R { int t = 8; };
struct H : private A { int h = 9; A *base() { return this; } };

static A *make(int which) {
    switch (which) {
    case 0: return new A;
    case 1: return new B;
    case 2: return new D;
    case 3: return new V;
    case 4: return new X;
    case 5: return (L *)new T;
    case 6: return (R *)new T;
    default: return (new H)->base();
    }
}

int main() {
    int which = effigy_uchar("which");
    effigy_assume(which < 8);
    A *it = make(which);
    B *b = dynamic_cast<B *>(it);
    C *c = dynamic_cast<C *>(it);
    D *d = dynamic_cast<D *>(it);
    V *v = dynamic_cast<V *>(it);
    W *w = dynamic_cast<W *>(it);
    L *l = dynamic_cast<L *>(it);
    T *t = dynamic_cast<T *>(it);
    H *h = dynamic_cast<H *>(it);
    printf("%d %d %d %d %d %d %d %d\n", b ? b->b : 0, c ? c->c : 0, d ? d->d : 0, v ? v->v : 0, w ? w->w : 0, l != 0,
           t ? t->t : 0, h ? h->h : 0);
    printf("%d %d\n", dynamic_cast<void *>(it) == (void *)it, c && dynamic_cast<A *>(c) == it);
    printf("%s %d %d\n", typeid(*it).name(), typeid(*it) == typeid(B), typeid(A).before(typeid(B)));
    try {
        D &ref = dynamic_cast<D &>(*it);
        int res = ref.d;
        delete it;
        return res;
    } catch (std::bad_cast &bad) {
        delete it;
        return strlen(bad.what());
    }
}
