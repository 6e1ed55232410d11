/* Random changes of an input, several on top of each other.
 *
 * Knows: bytes, numbers in them, tokens of the program. Never: whether a change was good. */

static u8 fz_work[MOST_INPUT + 64];

static const int64_t FZ_INTERESTING[] = {-1,  0,     1,     2,     4,      8,     10,    16,         32,         64,
                                         100, 127,   128,   255,   256,    512,   1000,  1024,       4096,       32767,
                                         -128, 32768, 65535, 65536, -32768, 100663045, 2147483647, -2147483647 - 1ll};

static u64 fz_load(const u8 *from, u32 width, int swapped) {
  u64 it = 0;
  memcpy(&it, from, width);
  return swapped ? __builtin_bswap64(it) >> (64 - 8 * width) : it;
}

static void fz_store(u8 *to, u64 it, u32 width, int swapped) {
  if (swapped) it = __builtin_bswap64(it << (64 - 8 * width));
  memcpy(to, &it, width);
}

/* Takes `count` bytes out. */
static u32 fz_cut(u8 *data, u32 length, u32 at, u32 count) {
  memmove(data + at, data + at + count, length - at - count);
  return length - count;
}

/* Puts bytes in, as many as there is room for. */
static u32 fz_put(u8 *data, u32 length, u32 at, const u8 *from, u32 count) {
  count = fz_least(count, fz_asked.most - length);
  memmove(data + at + count, data + at, length - at);
  if (from) memcpy(data + at, from, count);
  return length + count;
}

/* A block is mostly short. */
static u32 fz_block(u32 most) {
  u32 it = 1 + fz_below(fz_below(4) ? 16 : fz_below(3) ? 64 : 1024);
  return fz_least(it, most);
}

static u32 fz_token(u8 *data, u32 length) {
  if (!fz_tokens->count) return length;
  struct token *it = &fz_tokens->at[fz_below(fz_tokens->count)];
  u32 size = it->length;
  if (length >= size && fz_below(3)) {
    memcpy(data + fz_below(length - size + 1), it->bytes, size);
    return length;
  }
  return fz_put(data, length, fz_below(length + 1), it->bytes, size);
}

/* A number in decimal becomes another. */
static u32 fz_digits(u8 *data, u32 length) {
  u32 at = fz_below(length), end;
  while (at < length && (data[at] < '0' || data[at] > '9')) at++;
  if (at == length) return length;
  for (end = at; end < length && end - at < 18 && data[end] >= '0' && data[end] <= '9';) end++;
  int64_t number = 0;
  for (u32 i = at; i < end; i++) number = number * 10 + (data[i] - '0');
  switch (fz_below(5)) {
    case 0: number++; break;
    case 1: number--; break;
    case 2: number = FZ_INTERESTING[fz_below(sizeof FZ_INTERESTING / sizeof *FZ_INTERESTING)]; break;
    case 3: number /= 2; break;
    default: number *= 2; break;
  }
  char text[32];
  u32 size = (u32)snprintf(text, sizeof text, "%lld", (long long)number);
  length = fz_cut(data, length, at, end - at);
  return fz_put(data, length, at, (u8 *)text, size);
}

/* A number that could say how long something behind it is: that becomes longer or shorter, and the number says so. */
static u32 fz_resize(u8 *data, u32 length) {
  for (int tries = 0; tries < 8; tries++) {
    u32 at = fz_below(length), width = 1u << fz_below(3);
    if (at + width > length) continue;
    int swapped = (int)fz_below(2);
    u64 number = fz_load(data + at, width, swapped);
    if (number > length - at - width) continue;
    /* Names and flags may stand between. */
    u32 from = at + width + fz_below(fz_least(9, length - at - width + 1));
    if (number && fz_below(3) == 0) {
      u32 size = fz_least(fz_block((u32)number), length - from);
      fz_store(data + at, number - size, width, swapped);
      return fz_cut(data, length, from, size);
    }
    u32 size = fz_least(fz_below(2) ? 1 + fz_below(4) : fz_block(64), fz_asked.most - length);
    fz_store(data + at, number + size, width, swapped);
    for (u32 i = 0; i < size; i++) fz_shorter[i] = (u8)fz_random();
    return fz_put(data, length, from, fz_shorter, size);
  }
  return length;
}

/* One random change; the length of what comes out. */
static u32 fz_change(u8 *data, u32 length) {
  if (length == 0) {
    u8 byte = (u8)fz_random();
    return fz_put(data, 0, 0, &byte, 1);
  }
  u32 at = fz_below(length), width = 1u << fz_below(4);
  switch (fz_below(21)) {
    case 0:
    case 1: data[at] ^= (u8)(1 << fz_below(8)); return length;
    case 2:
    case 3: data[at] = (u8)fz_random(); return length;
    case 4:
    case 5: data[at] += (u8)(1 + fz_below(35)) * (fz_below(2) ? 1 : -1); return length;
    case 6:
    case 7: {
      while (width > length) width /= 2;
      at = fz_below(length - width + 1);
      int swapped = (int)fz_below(2);
      u64 it = fz_load(data + at, width, swapped), by = 1 + fz_below(fz_below(4) ? 35 : 4096);
      fz_store(data + at, fz_below(2) ? it + by : it - by, width, swapped);
      return length;
    }
    case 8:
    case 9: {
      while (width > length) width /= 2;
      at = fz_below(length - width + 1);
      u64 it = (u64)FZ_INTERESTING[fz_below(sizeof FZ_INTERESTING / sizeof *FZ_INTERESTING)];
      fz_store(data + at, it, width, (int)fz_below(2));
      return length;
    }
    case 10: { /* the number that says how long the rest is */
      while (width > length) width /= 2;
      at = fz_below(length - width + 1);
      fz_store(data + at, length - (fz_below(2) ? at + width : 0), width, (int)fz_below(2));
      return length;
    }
    case 11:
    case 12: return fz_cut(data, length, at, fz_least(fz_block(length - at), length - 1));
    case 13: { /* a block twice */
      u32 size = fz_block(length - at);
      memcpy(fz_shorter, data + at, size);
      return fz_put(data, length, fz_below(length + 1), fz_shorter, size);
    }
    case 14: { /* a block over another */
      u32 size = fz_block(length - at), to = fz_below(length);
      memmove(data + to, data + at, fz_least(size, length - to));
      return length;
    }
    case 15: { /* one byte many times; seldom so often that a recursion runs out of its stack */
      u32 size = fz_below(32) ? fz_block(64) : fz_least(fz_asked.most, 64u << fz_below(15));
      memset(fz_shorter, fz_below(2) ? data[at] : (int)(u8)fz_random(), size);
      if (fz_below(2)) return fz_put(data, length, at, fz_shorter, size);
      memcpy(data + at, fz_shorter, fz_least(size, length - at));
      return length;
    }
    case 16: { /* a block in another order */
      u32 size = fz_least(fz_block(length - at), 16);
      for (u32 i = size; i > 1; i--) {
        u32 j = fz_below(i);
        u8 byte = data[at + i - 1];
        data[at + i - 1] = data[at + j];
        data[at + j] = byte;
      }
      return length;
    }
    case 17: return fz_digits(data, length);
    case 18: return fz_resize(data, length);
    default: return fz_token(data, length);
  }
}

/* The beginning of one input and the end of another. */
static u32 fz_splice(u8 *data, u32 length) {
  u32 other = fz_below((u32)fz_board->entries), size = fz_queue->at[other].length;
  if (size < 2 || length < 2) return length;
  u32 from = fz_below(size), count = fz_block(size - from);
  /* Often formats are one piece after the other: the end of another input behind this one. */
  if (fz_below(3) == 0) return fz_put(data, length, length, fz_data(other) + from, fz_least(size - from, fz_asked.most - length));
  if (fz_below(2)) return fz_put(data, length, fz_below(length + 1), fz_data(other) + from, count);
  if (fz_below(2)) {
    u32 to = fz_below(length);
    memcpy(data + to, fz_data(other) + from, fz_least(count, length - to));
    return length;
  }
  u32 to = 1 + fz_below(fz_least(length, fz_asked.most) - 1);
  count = fz_least(size - from, fz_asked.most - to);
  memcpy(data + to, fz_data(other) + from, count);
  return to + count;
}

/* Havoc over one entry; more of it where it brings something. */
static void fz_havoc(u32 entry) {
  struct entry *it = &fz_queue->at[entry];
  u64 most_time = 20000000, begin = fz_now();
  u32 rounds = 512, done = 0;
  while (done < rounds) {
    u32 length = it->length;
    memcpy(fz_work, fz_data(entry), length);
    enum stage stage = HAVOC;
    if (fz_board->entries > 1 && fz_below(6) == 0) length = fz_splice(fz_work, length), stage = SPLICE;
    for (u32 i = 1u << fz_below(fz_below(4) ? 4 : 7); i > 0; i--) length = fz_change(fz_work, length);
    if (fz_try(fz_work, length, stage, entry) != NOTHING && rounds < 4096) rounds += 256;
    done++;
    /* What comes of a fast input can be slow. */
    if ((done & 7) == 0 && fz_now() - begin > most_time) break;
  }
  it->picked++;
  /* Solving gets half of what chance has had. */
  it->saved += (fz_now() - begin) / 2;
}
