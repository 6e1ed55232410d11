#include <effigy.h>

struct pair {
    int key;
    unsigned char weight;
};

static int table[4] = {2, 3, 5, 7};

static int find(int key, int count) {
    for (int i = 0; i < count; i++) {
        if (table[i] == key)
            return i;
    }
    return -1;
}

int main(void) {
    struct pair p = {0, 200};
    char name[8] = "pair";
    int *where = &p.key;
    p.key = effigy_int("key");
    effigy_assume(p.key > 1 && p.key < 6);
    int at = find(p.key, 4);
    if (at < 0)
        return 1;
    if (*where == table[at])
        return name[0] == 'p' ? at : 9;
    return 100 / (p.key - 4);
}
