#include <stdio.h>
#include <stdlib.h>

struct node {
    char letter;
    struct node *next;
};

static unsigned seen;

struct node *push(struct node *list, char letter) {
    struct node *it = malloc(sizeof *it);
    if (!it)
        return list;
    it->letter = letter;
    it->next = list;
    seen++;
    return it;
}

int parse(const char *text, int mode) {
    struct node *list = 0;
    for (int i = 0; i < 2; i++)
        list = push(list, text[i]);
    switch (mode) {
    case 1:
        printf("%d\n", mode);
        return list->letter;
    case 2:
        return list->next->letter;
    default:
        return 100 / (list->letter - text[0]);
    }
}
