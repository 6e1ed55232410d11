/* Another function of the same name. */
static int here(int x) { return x > 3; }
int other_here(void) { return here(1); }
int main(void) { return 0; }
