// Arithmetic of all widths, conversions, and loops that compilers like to vectorise.
typedef unsigned char byte;

unsigned crc(const byte *data, unsigned length) {
  unsigned value = ~0u;
  for (unsigned i = 0; i < length; i++) {
    value ^= data[i];
    for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (0xEDB88320u & -(value & 1));
  }
  return ~value;
}

double mean(const short *values, int count) {
  double total = 0;
  for (int i = 0; i < count; i++) total += values[i] * 0.5f;
  return count ? total / count : 0.0 / 0.0;
}

long long saturated(long long a, long long b) {
  long long result;
  return __builtin_add_overflow(a, b, &result) ? (a < 0 ? -0x7fffffffffffffffLL - 1 : 0x7fffffffffffffffLL) : result;
}

int rotated(unsigned x, int by) { return x << (by & 31) | x >> (-by & 31); }
int counted(unsigned long x) { return __builtin_popcountl(x) + (x ? __builtin_clzl(x) : 64); }
_Bool between(signed char x, unsigned short y) { return x > -5 && y < 60000; }

int main(int argc, char **argv) {
  byte data[64];
  short values[64];
  for (int i = 0; i < 64; i++) {
    data[i] = i * 7;
    values[i] = i - argc;
  }
  int result = crc(data, 64) ^ (int)mean(values, 64) ^ (int)saturated(argc, 1);
  return result ^ rotated(argc, 3) ^ counted(argc) ^ between(argc, argc);
}
