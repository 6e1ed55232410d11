/* stdlib.h: qsort, qsort_r, bsearch. A stable merge sort: elements that compare as equal keep their order. */
typedef int (*compare_with)(const void *, const void *, void *);

static void merge_sort(char *at, size_t count, size_t size, compare_with compare, void *context, char *room) {
  if (count < 2) return;
  size_t left = count / 2, right = count - left;
  char *a = at, *b = at + left * size, *to = room;
  merge_sort(a, left, size, compare, context, room);
  merge_sort(b, right, size, compare, context, room);
  while (left > 0 && right > 0) {
    if (compare(a, b, context) <= 0) {
      memcpy(to, a, size);
      a += size;
      left--;
    } else {
      memcpy(to, b, size);
      b += size;
      right--;
    }
    to += size;
  }
  if (left > 0) memcpy(to, a, left * size);
  /* What is left of the right half is in its place. */
  memcpy(at, room, (count - right) * size);
}

void qsort_r(void *at, size_t count, size_t size, compare_with compare, void *context) {
  if (count < 2 || size == 0) return;
  char *room = malloc(count * size);
  merge_sort(at, count, size, compare, context, room);
  free(room);
}

struct two_arguments {
  int (*compare)(const void *, const void *);
};

static int without_context(const void *a, const void *b, void *context) {
  return ((struct two_arguments *)context)->compare(a, b);
}

void qsort(void *at, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  struct two_arguments context = {compare};
  qsort_r(at, count, size, without_context, &context);
}

void *bsearch(const void *key, const void *at, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)at + middle * size;
    int order = compare(key, element);
    if (order < 0) high = middle;
    else if (order > 0) low = middle + 1;
    else return (void *)element;
  }
  return NULL;
}
