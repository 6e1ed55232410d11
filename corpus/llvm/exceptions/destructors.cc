//@ paths: 6
//@ apart: bmc does not follow an exception whose address depends on the path, where objects lie
// The order in which objects are destroyed on the way of an exception; members and bases of what was not constructed;
// function-try blocks; arrays; what is thrown again.
#include <effigy.h>
#include <stdio.h>

static int at;
struct Mark {
    const char *name;
    Mark(const char *name, int fails = -1) : name(name) {
        printf("+%s\n", name);
        if (fails == at) throw name;
    }
    ~Mark() { printf("-%s\n", name); }
};
struct Base { Mark mark{"base"}; };
struct Whole : Base {
    Mark a{"a"}, b{"b", 0}, c{"c"};
    Whole() try : a("first"), c("third", 1) {
        printf("body\n");
        if (at == 2) throw 2;
    } catch (int it) {
        printf("int %d\n", it);
    } catch (const char *it) {
        printf("text %s\n", it);
        throw;
    }
};
struct Counted {
    static int count;
    int own = count++;
    Counted() { if (at == 3 && own == 2) throw 3L; }
    ~Counted() { printf("~%d\n", own); }
};
int Counted::count;

static void deep(int n) {
    Mark mark(n ? "deep" : "bottom");
    if (n) return deep(n - 1);
    if (at == 4) throw 4.0;
}

int main() {
    at = effigy_uchar("at");
    effigy_assume(at <= 5);
    try {
        Mark outer("outer");
        try {
            Whole whole;
            Counted three[3];
            deep(2);
        } catch (const char *it) {
            printf("again %s\n", it);
            throw;
        } catch (double) {
            printf("double\n");
            throw 5u;
        }
        printf("all\n");
    } catch (int it) {
        return 10 + it;
    } catch (long) {
        return 20;
    } catch (const char *it) {
        return it[0];
    } catch (unsigned it) {
        return 30 + it;
    }
    return 0;
}
