/* stdlib.h, inttypes.h, arpa/inet.h: numbers. */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

div_t div(int a, int b) {
  div_t res = {a / b, a % b};
  return res;
}

ldiv_t ldiv(long a, long b) {
  ldiv_t res = {a / b, a % b};
  return res;
}

lldiv_t lldiv(long long a, long long b) {
  lldiv_t res = {a / b, a % b};
  return res;
}

ldiv_t imaxdiv(long a, long b) { return ldiv(a, b); }

unsigned short htons(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned short ntohs(unsigned short x) { return htons(x); }
unsigned htonl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned ntohl(unsigned x) { return htonl(x); }

/* The sequence of glibc. */
int rand_r(unsigned *seed) {
  unsigned next = *seed, res;
  next = next * 1103515245 + 12345;
  res = next / 65536 % 2048;
  next = next * 1103515245 + 12345;
  res = res << 10 ^ next / 65536 % 1024;
  next = next * 1103515245 + 12345;
  res = res << 10 ^ next / 65536 % 1024;
  *seed = next;
  return (int)res;
}
