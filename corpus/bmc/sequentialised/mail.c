// A mail system as a product line: what was encrypted is never sent on in plain text.
// Forwarding with a signature, without the keys, decrypts first.
//@ verdict: bug
//@ input: 1 1 1 0 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int has_keys, has_forward, has_sign, has_autoreply, encrypted, was_encrypted, sent_plain;
static void send(void) {
  if (was_encrypted && !encrypted) sent_plain = 1;
}
static void receive(void) {
  if (has_keys && encrypted && __VERIFIER_nondet_bool()) return;
  if (has_sign && has_forward && !has_autoreply) encrypted = 0;
  if (has_forward) send();
  if (has_autoreply) {
    was_encrypted = encrypted;
    send();
  }
}
int main(void) {
  has_keys = __VERIFIER_nondet_bool();
  has_forward = __VERIFIER_nondet_bool();
  has_sign = __VERIFIER_nondet_bool();
  has_autoreply = __VERIFIER_nondet_bool();
  was_encrypted = encrypted = has_keys && __VERIFIER_nondet_bool();
  send();
  receive();
  assert(!sent_plain); //~ bug: assertion-failed
  return 0;
}
