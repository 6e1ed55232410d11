// A list with recursion through pointers, as textbooks write it.
typedef struct list { struct list *next; int value; } list;

static list *pushed(list *head, list *cell, int value) {
  cell->next = head;
  cell->value = value;
  return cell;
}

static int total(const list *head) { return head ? head->value + total(head->next) : 0; }

static list *reversed(list *head) {
  list *result = 0;
  while (head) {
    list *next = head->next;
    head->next = result;
    result = head;
    head = next;
  }
  return result;
}

int main(int argc, char **argv) {
  list cells[8];
  list *head = 0;
  for (int i = 0; i < 8; i++) head = pushed(head, &cells[i], i * argc);
  head = reversed(head);
  return total(head) == 28 * argc ? head->value : 1;
}
