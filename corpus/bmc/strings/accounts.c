// Money goes from one of three accounts to another.
// Both balances are read before either is written: a transfer to oneself makes money.
//@ verdict: bug
//@ input: 0 0 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
struct account { int number; struct { int balance; } state; };
int main(void) {
  struct account it[3] = {{1, {50}}, {2, {50}}, {3, {50}}};
  unsigned from = __VERIFIER_nondet_uint(), to = __VERIFIER_nondet_uint();
  int amount = __VERIFIER_nondet_int();
  __VERIFIER_assume(from < 3 && to < 3 && amount >= 0 && amount <= 50);
  int less = it[from].state.balance - amount, more = it[to].state.balance + amount;
  it[from].state.balance = less;
  it[to].state.balance = more;
  int all = 0;
  for (int i = 0; i < 3; ++i) all += it[i].state.balance;
  assert(all == 150); //~ bug: assertion-failed
  return 0;
}
