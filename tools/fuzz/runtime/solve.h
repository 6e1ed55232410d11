/* Compares that did not hold are made to hold, without a solver.
 *
 * Knows: what was compared in a run and which bytes of the input it depends on, found by changing each. In layers, the
 * cheapest first: the operand is written where it came from (input-to-state, Redqueen); what was computed from it is
 * undone where it is a sum, an exclusive or, or a number in digits; the bytes are tried one by one, and what brings the
 * operands closer is kept. Never: the program's instructions. */

enum { MOST_DEPENDENCIES = 40, MOST_LOOKED_AT = 1024, MOST_PROBED = 2048 };

/* The compare of the run that is looked at, and the bytes that it depends on. */
static struct compare fz_base[MOST_LOOKED_AT];
static u32 fz_n_base;
static struct {
  u16 count;
  u8 side; /* 1: the first operand, 2: the second */
  u16 at[MOST_DEPENDENCIES];
} fz_depends[MOST_LOOKED_AT];
static u32 fz_slots[4096]; /* of the base, by site and occurrence */

/* What is known of a site, in all processes. */
struct site {
  u64 site;
  u32 tried;
  u8 was_equal, was_less, was_greater;
};
static struct site *fz_sites;
/* The same in all turns of all loops; what has no room there is not known. */
static struct site *fz_all_turns;
enum { SITES = 1 << 14 };

static u8 fz_best_yet[MOST_INPUT + 64], fz_candidate[MOST_INPUT + 64], fz_mending[MOST_INPUT + 64];
static u32 fz_best_length, fz_solved_entry;
static u64 fz_runs_left, fz_solving_ends; /* the time, should what is tried take longer than the entry itself */
static int fz_brought; /* an attempt has taken a new edge */
static int fz_is_worth; /* a compare holds that never held before */
static int fz_is_whole; /* nothing that has to hold was left broken by the last repair */

static struct site *fz_site(u64 site) {
  struct site *it = &fz_sites[site * 0x9e3779b97f4a7c15u >> 50];
  if (it->site != site) *it = (struct site){.site = site};
  return it;
}

static struct site *fz_all_turns_of(u64 site) {
  u64 slot = site * 0x9e3779b97f4a7c15u >> 50;
  for (u64 step = 0; step < 16; step++) {
    struct site *it = &fz_all_turns[(slot + step) % SITES];
    if (it->site == 0) it->site = site;
    if (it->site == site) return it;
  }
  return NULL;
}

static u32 fz_slot_of(const struct compare *it) {
  return (u32)((it->site * 31 + it->occurrence) * 0x9e3779b97f4a7c15u >> 52);
}

static void fz_number(void) {
  memset(fz_slots, 0, sizeof fz_slots);
  for (u32 i = 0; i < fz_n_base; i++) {
    u32 slot = fz_slot_of(&fz_base[i]);
    for (u32 step = 0; step < 4096 && fz_slots[slot]; step++) slot = (slot + 1) & 4095;
    fz_slots[slot] = i + 1;
  }
}

static int fz_is_same(const struct compare *a, const struct compare *b) {
  return a->site == b->site && a->occurrence == b->occurrence;
}

/* The place of a compare in the base; -1 where it is not there. */
static int fz_in_base(const struct compare *it) {
  u32 slot = fz_slot_of(it);
  for (u32 step = 0; step < 4096 && fz_slots[slot]; step++) {
    if (fz_is_same(&fz_base[fz_slots[slot] - 1], it)) return (int)fz_slots[slot] - 1;
    slot = (slot + 1) & 4095;
  }
  return -1;
}

static u8 fz_lower(u8 it) { return it >= 'A' && it <= 'Z' ? it + 32 : it; }

static int fz_is_equal(const struct compare *it) {
  if (!it->case_blind) return __real_memcmp(it->a, it->b, it->size) == 0;
  for (u32 i = 0; i < it->size; i++)
    if (fz_lower(it->a[i]) != fz_lower(it->b[i])) return 0;
  return 1;
}

static u128 fz_value(const u8 *from, u32 size) {
  u128 it = 0;
  memcpy(&it, from, fz_least(size, 16));
  return it;
}

/* Floating point in its order, as a number. */
static u128 fz_ordered(u128 it, u32 size) {
  u128 sign = (u128)1 << (8 * size - 1);
  return it & sign ? sign - (it & (sign - 1)) : it + sign;
}

/* How far the operands are apart: bytes that differ, then by how much; for numbers the difference. */
static double fz_distance(const struct compare *it, int by_bits) {
  if (it->kind == BYTES || it->kind == TEXT || by_bits) {
    double differ = 0, first = 0;
    for (u32 i = 0; i < it->size; i++) {
      u8 a = it->a[i], b = it->b[i];
      if (it->case_blind) a = fz_lower(a), b = fz_lower(b);
      if (by_bits) {
        differ += __builtin_popcount(a ^ b);
        continue;
      }
      if (a == b) continue;
      differ += 256;
      if (first == 0) first = a > b ? a - b : b - a;
    }
    return differ + first;
  }
  u128 a = fz_value(it->a, it->size), b = fz_value(it->b, it->size);
  if (it->kind == FLOATING) a = fz_ordered(a, it->size), b = fz_ordered(b, it->size);
  u128 apart = a > b ? a - b : b - a;
  /* The way around is as long for signed numbers. */
  u128 around = it->size < 16 ? ((u128)1 << 8 * it->size) - apart : -apart;
  return (double)(it->kind != FLOATING && around < apart ? around : apart);
}

static int fz_order(const struct compare *it) {
  if (fz_is_equal(it)) return 0;
  u128 a = fz_value(it->a, it->size), b = fz_value(it->b, it->size);
  if (it->kind == FLOATING) a = fz_ordered(a, it->size), b = fz_ordered(b, it->size);
  return a < b ? -1 : 1;
}

static const struct compare *fz_find(const struct compare *wanted) {
  for (u32 i = 0; i < fz_log->count; i++)
    if (fz_is_same(&fz_log->at[i], wanted)) return &fz_log->at[i];
  return NULL;
}

/* One run of a candidate with the compares of one site, or of all. */
static int fz_attempt(const u8 *data, u32 length, u64 logging, enum stage stage) {
  if (fz_runs_left) fz_runs_left--;
  if ((++fz_board->solve_runs & 7) == 0 && fz_now() > fz_solving_ends) fz_runs_left = 0;
  fz_logging = logging;
  int news = fz_try(data, length, stage, fz_solved_entry);
  fz_logging = 0;
  fz_brought |= news == NEW_EDGE;
  return news;
}

/* What the input compares, from now on the base. */
static void fz_rebase(void) {
  fz_attempt(fz_best_yet, fz_best_length, 1, COPIED);
  u32 count = fz_least(fz_log->count, MOST_LOOKED_AT);
  if (fz_n_base == 0) {
    memcpy(fz_base, fz_log->at, count * sizeof *fz_base);
    fz_n_base = count;
    return;
  }
  /* The same compares as before, with their operands of now. */
  for (u32 i = 0; i < fz_log->count; i++) {
    int at = fz_in_base(&fz_log->at[i]);
    if (at >= 0) fz_base[at] = fz_log->at[i];
  }
}

/* Writes a number over each place of the candidate, up to a few, where another stands; whether there was one. */
static int fz_replace(u32 length, u128 from, u128 to, u32 size, int which) {
  for (u32 width = size; width > 0; width--) {
    u128 mask = width == 16 ? ~(u128)0 : ((u128)1 << 8 * width) - 1;
    if (width < size && ((from & ~mask) || (to & ~mask))) return 0;
    if (width < 2 && size > 1 && from == 0) return 0;
    for (int swapped = 0; swapped < (width > 1 ? 2 : 1); swapped++) {
      u8 old[16], new[16];
      for (u32 i = 0; i < width; i++) {
        u32 byte = 8 * (swapped ? width - 1 - i : i);
        old[i] = (u8)(from >> byte);
        new[i] = (u8)(to >> byte);
      }
      for (u32 at = 0; at + width <= length; at++) {
        if (__real_memcmp(fz_candidate + at, old, width) || which-- > 0) continue;
        memcpy(fz_candidate + at, new, width);
        return 1;
      }
    }
  }
  return 0;
}

/* A change has broken a compare that held and that guards what comes after it, as a checksum does: what the program has
 * computed is written where it is compared with. Several times, as one guards the other. */
static int fz_repair(u32 length, enum stage stage) {
  int repaired = 0;
  fz_is_whole = 0;
  fz_attempt(fz_candidate, length, 1, stage);
  for (int round = 0; round < 6 && fz_runs_left; round++) {
    struct compare was, is;
    int broken = 0;
    for (u32 i = 0; i < fz_log->count && !broken; i++) {
      int at = fz_in_base(&fz_log->at[i]);
      if (at < 0 || fz_log->at[i].constant || fz_log->at[i].kind != INTEGER || fz_log->at[i].size < 2) continue;
      was = fz_base[at], is = fz_log->at[i];
      broken = fz_is_equal(&was) && !fz_is_equal(&is);
    }
    if (!broken) {
      fz_is_whole = 1;
      return repaired;
    }
    u128 a = fz_value(is.a, is.size), b = fz_value(is.b, is.size), old = fz_value(was.a, was.size);
    int mended = 0;
    /* The side that has not changed is the one that is written in the input. */
    for (int side = 0; side < 2 && !mended; side++) {
      u128 from = (side == 0) == (a == old) ? a : b, to = from == a ? b : a;
      for (int which = 0; which < 4 && !mended && fz_runs_left; which++) {
        memcpy(fz_mending, fz_candidate, length);
        if (!fz_replace(length, from, to, is.size, which)) break;
        fz_attempt(fz_candidate, length, 1, stage);
        const struct compare *now = fz_find(&is);
        mended = now && fz_is_equal(now);
        if (!mended) memcpy(fz_candidate, fz_mending, length);
      }
    }
    if (!mended) return repaired;
    repaired = 1;
  }
  return repaired;
}

/* Of each byte of an input that is looked at, so many values are tried. */
static u32 fz_probes_of(u32 length) { return length <= 256 ? 4 : 1; }

/* Finds what each compare depends on. Bytes far behind are not looked at. What stands behind a checksum is met only when
 * that is put right each time: `repaired`, the second time. */
static void fz_probe(int repaired) {
  u32 length = fz_least(fz_best_length, MOST_PROBED);
  int probes = repaired ? 1 : (int)fz_probes_of(length);
  memcpy(fz_candidate, fz_best_yet, fz_best_length);
  for (u32 at = 0; at < length && fz_runs_left; at++) {
    u8 old = fz_best_yet[at];
    /* Neighbours, which are of the same class of characters more often than not; a digit; another column. */
    u8 tried[4] = {old ^ 1, old == '7' ? '3' : '7', old ^ 2, old ^ 0x90};
    for (int probe = 0; probe < probes; probe++) {
      u64 key = (((u64)fz_solved_entry * MOST_PROBED + at) * 4 + (u64)probe) * 2 + (u64)repaired + 1;
      if (fz_probes->fatal[key % MOST_FATAL] == key) continue;
      fz_candidate[at] = tried[probe];
      fz_probes->now = key;
      int ran = !repaired || fz_repair(fz_best_length, COPIED);
      if (!repaired) fz_attempt(fz_candidate, fz_best_length, 1, COPIED);
      fz_probes->now = 0;
      if (!ran) continue;
      for (u32 i = 0; i < fz_log->count; i++) {
        const struct compare *it = &fz_log->at[i];
        int base = fz_in_base(it);
        if (base < 0) continue;
        u8 side = (u8)((__real_memcmp(it->a, fz_base[base].a, it->size) ? 1 : 0) |
                       (__real_memcmp(it->b, fz_base[base].b, it->size) ? 2 : 0));
        if (!side) continue;
        u16 n = fz_depends[base].count;
        fz_depends[base].side |= side;
        if (n && fz_depends[base].at[n - 1] >= at) continue;
        if (n < MOST_DEPENDENCIES) fz_depends[base].at[n] = (u16)at, fz_depends[base].count = (u16)(n + 1);
      }
    }
    if (repaired) memcpy(fz_candidate, fz_best_yet, fz_best_length);
    fz_candidate[at] = old;
  }
}

/* Runs the candidate; one that makes the compare hold and loses no other becomes the best. */
static int fz_candidate_holds(u32 base, u32 length, enum stage stage) {
  if (!fz_runs_left) return 0;
  int order = fz_order(&fz_base[base]);
  int news = fz_attempt(fz_candidate, length, fz_base[base].site, stage);
  const struct compare *it = fz_find(&fz_base[base]);
  if (!it && news == NOTHING && fz_queue->at[fz_solved_entry].is_fragile && fz_repair(length, stage)) {
    news = fz_attempt(fz_candidate, length, fz_base[base].site, stage);
    it = fz_find(&fz_base[base]);
  }
  if (!it) return 0;
  if (!fz_is_equal(it)) return news == NEW_EDGE && fz_order(it) != order;
  u32 known = 0;
  fz_attempt(fz_candidate, length, 1, stage);
  for (u32 i = 0; i < fz_log->count; i++) known += fz_in_base(&fz_log->at[i]) >= 0;
  if (known >= fz_n_base) {
    memcpy(fz_best_yet, fz_candidate, length);
    fz_best_length = length;
    fz_rebase();
  }
  return 1;
}

static void fz_reset(void) { memcpy(fz_candidate, fz_best_yet, fz_best_length); }

/* Writes bytes at a place, further than the end of the input if need be. */
static u32 fz_write(u32 at, const void *from, u32 count) {
  fz_reset();
  u32 length = fz_best_length;
  if (at + count > length) {
    if (at + count > fz_asked.most) return 0;
    memset(fz_candidate + length, 0, at + count - length);
    length = at + count;
  }
  memcpy(fz_candidate + at, from, count);
  return length;
}

/* A number of the input that is the operand, in either order of bytes and in narrower widths, becomes the other one. */
static int fz_copy_number(u32 base, u128 from, u128 to, u32 least, u32 most) {
  u32 size = fz_base[base].size;
  static const u32 WIDTHS[] = {16, 10, 8, 7, 6, 5, 4, 3, 2, 1};
  for (u32 w = 0; w < sizeof WIDTHS / sizeof *WIDTHS; w++) {
    u32 width = WIDTHS[w];
    if (width > size || width > fz_best_length) continue;
    u128 mask = width == 16 ? ~(u128)0 : ((u128)1 << 8 * width) - 1;
    /* What is cut off must come back by itself: as zeros or as the sign. */
    if (width < size) {
      u128 all = size == 16 ? ~(u128)0 : ((u128)1 << 8 * size) - 1, rest = all & ~mask;
      int zeros = !(from & rest) && !(to & rest), ones = (from & rest) == rest && (to & rest) == rest;
      if (!zeros && !ones) continue;
      if (width < size && fz_base[base].kind == FLOATING) continue;
    }
    for (int swapped = 0; swapped < (width > 1 ? 2 : 1); swapped++) {
      u8 old[16], new[16];
      for (u32 i = 0; i < width; i++) {
        u32 byte = 8 * (swapped ? width - 1 - i : i);
        old[i] = (u8)(from >> byte);
        new[i] = (u8)(to >> byte);
      }
      u32 first = least >= width - 1 ? least - (width - 1) : 0;
      for (u32 at = first; at <= most && at + width <= fz_best_length; at++) {
        if (__real_memcmp(fz_best_yet + at, old, width)) continue;
        u32 length = fz_write(at, new, width);
        if (length && fz_candidate_holds(base, length, COPIED)) return 1;
        if (!fz_runs_left) return 0;
      }
    }
  }
  return 0;
}

/* `float` that became `double` on the way. */
static int fz_copy_narrowed(u32 base, u128 from, u128 to, u32 least, u32 most) {
  double wide_from, wide_to;
  memcpy(&wide_from, &from, 8);
  memcpy(&wide_to, &to, 8);
  float old = (float)wide_from, new = (float)wide_to;
  if ((double)old != wide_from && wide_from == wide_from) return 0;
  float tried[3] = {new, new * 1.0000002f, new * 0.9999998f};
  for (u32 at = least; at <= most && at + 4 <= fz_best_length; at++) {
    if (__real_memcmp(fz_best_yet + at, &old, 4)) continue;
    for (int i = 0; i < 3; i++) {
      u32 length = fz_write(at, &tried[i], 4);
      if (length && fz_candidate_holds(base, length, COPIED)) return 1;
    }
  }
  return 0;
}

/* The operand was computed: what is missing is added to the bytes, or what differs is flipped in them. */
static int fz_undo(u32 base, u128 from, u128 to, u32 first, u32 last) {
  for (u32 width = 1; width <= 8; width *= 2) {
    if (width > fz_base[base].size && width > 1) break;
    for (u32 at = first; at <= last && at < first + 8 && at + width <= fz_best_length; at++) {
      for (int swapped = 0; swapped < (width > 1 ? 2 : 1); swapped++) {
        u64 old = fz_load(fz_best_yet + at, width, swapped);
        u64 tried[3] = {old + (u64)(to - from), old - (u64)(to - from), old ^ (u64)(to ^ from)};
        for (int i = 0; i < 3; i++) {
          u8 bytes[8];
          fz_store(bytes, tried[i], width, swapped);
          u32 length = fz_write(at, bytes, width);
          if (length && fz_candidate_holds(base, length, COMPUTED)) return 1;
          if (!fz_runs_left) return 0;
        }
      }
    }
  }
  return 0;
}

/* The operand was written in digits. */
static int fz_write_digits(u32 base, u128 to, u32 first) {
  char text[48];
  u32 size = fz_base[base].size;
  int64_t number = size >= 8 ? (int64_t)(u64)to : (int64_t)((u64)to << (64 - 8 * size)) >> (64 - 8 * size);
  const char *forms[] = {"%lld", "%lld ", "%llx", "%llX"};
  for (int form = 0; form < 4; form++) {
    u32 count = (u32)snprintf(text, sizeof text, forms[form], (long long)number);
    u32 length = fz_write(first, text, count);
    if (length && fz_candidate_holds(base, length, COMPUTED)) return 1;
    if (!fz_runs_left) return 0;
  }
  return 0;
}

/* Text and memory: as it is, by what differs in each byte, and where it was found. */
static int fz_copy_bytes(u32 base, const u8 *from, const u8 *to, u32 size, u32 first, u32 last, int known) {
  u8 bytes[OPERAND];
  if (known) {
    u32 length = fz_write(first, to, size);
    if (length && fz_candidate_holds(base, length, COPIED)) return 1;
    for (int how = 0; how < 3; how++) {
      for (u32 i = 0; i < size; i++) {
        u8 old = first + i < fz_best_length ? fz_best_yet[first + i] : 0;
        bytes[i] = (u8)(how == 0 ? old + (to[i] - from[i]) : how == 1 ? old - (to[i] - from[i]) : old ^ (to[i] ^ from[i]));
      }
      length = fz_write(first, bytes, size);
      if (length && fz_candidate_holds(base, length, COMPUTED)) return 1;
    }
  }
  u32 same = fz_least(size, 4);
  for (u32 at = 0; at + same <= fz_best_length && fz_runs_left; at++) {
    if (known && (at > last || at + size <= first)) continue;
    if (__real_memcmp(fz_best_yet + at, from, same)) continue;
    u32 length = fz_write(at, to, size);
    if (length && fz_candidate_holds(base, length, COPIED)) return 1;
  }
  return 0;
}

/* Byte by byte: every value of each byte that the compare depends on, and what brings the operands closer stays. */
static int fz_descend(u32 base, int by_bits) {
  static u8 yet[MOST_INPUT];
  u32 length = fz_best_length, count = fz_depends[base].count;
  memcpy(yet, fz_best_yet, length);
  double apart = fz_distance(&fz_base[base], by_bits);
  for (int round = 0; round < 4; round++) {
    int closer = 0;
    for (u32 k = 0; k < count; k++) {
      u32 at = fz_depends[base].at[k];
      u8 best = yet[at];
      double best_apart = apart;
      memcpy(fz_candidate, yet, length);
      for (u32 value = 0; value < 256; value++) {
        if (!fz_runs_left) return 0;
        fz_candidate[at] = (u8)value;
        fz_attempt(fz_candidate, length, fz_base[base].site, DESCENT);
        const struct compare *it = fz_find(&fz_base[base]);
        if (!it) continue;
        double now = fz_distance(it, by_bits);
        if (now < best_apart) best_apart = now, best = (u8)value;
        if (fz_is_equal(it)) break;
      }
      if (best_apart < apart) yet[at] = best, apart = best_apart, closer = 1;
      if (apart == 0) break;
    }
    memcpy(fz_candidate, yet, length);
    if (apart == 0) return fz_candidate_holds(base, length, DESCENT);
    if (!closer) return 0;
  }
  return 0;
}

static int fz_solve_towards(u32 base, const u8 *from, const u8 *to, u8 side) {
  const struct compare *it = &fz_base[base];
  u32 count = fz_depends[base].count;
  int known = count && (fz_depends[base].side & side);
  u32 first = known ? fz_depends[base].at[0] : 0;
  u32 last = known && count < MOST_DEPENDENCIES ? fz_depends[base].at[count - 1] : fz_best_length;
  /* Of a short input every byte is known that matters. */
  if (!known && fz_best_length <= MOST_PROBED) return 0;
  u8 old[OPERAND], new[OPERAND];
  memcpy(old, from, OPERAND);
  memcpy(new, to, OPERAND);
  if (it->kind == BYTES || it->kind == TEXT) return fz_copy_bytes(base, old, new, it->size, first, last, known);
  u128 a = fz_value(old, it->size), b = fz_value(new, it->size);
  u128 mask = it->size == 16 ? ~(u128)0 : ((u128)1 << 8 * it->size) - 1;
  fz_brought = 0;
  int done = fz_copy_number(base, a, b, first, last);
  if (!done && it->kind == FLOATING && it->size == 8 && fz_copy_narrowed(base, a, b, first, last)) return 1;
  if (done) {
    /* They are equal now, but it may have been the order that counts: one beyond, too. */
    if (!fz_brought) fz_copy_number(base, b, (b + 1) & mask, first, last);
    if (!fz_brought) fz_copy_number(base, b, (b - 1) & mask, first, last);
    return 1;
  }
  if (fz_copy_number(base, a, (b + 1) & mask, first, last)) return 1;
  if (fz_copy_number(base, a, (b - 1) & mask, first, last)) return 1;
  if (!known || it->kind == FLOATING) return 0;
  if (count <= 16 && fz_undo(base, a, b, first, last)) return 1;
  return it->size > 1 && fz_write_digits(base, b, first);
}

/* What is known of a compare. The turns of a loop are told apart: each character of a word is a compare of its own. */
static struct site *fz_site_of(const struct compare *it) { return fz_site(it->site + ((u64)it->occurrence << 52)); }

/* Writes down how the operands lie; whether they never lay so. */
static int fz_is_new_order(struct site *site, int order) {
  u8 *was = order == 0 ? &site->was_equal : order < 0 ? &site->was_less : &site->was_greater;
  return *was ? 0 : (*was = 1);
}

/* Without an edge in so many runs, what compares say is an input's worth, too. */
enum { LONG_WITHOUT = 100000 };

/* In the last run a compare came out in a way that was tried before without success, in no turn of any loop: else
 * nearly every input of a parser would be such a one. */
static int fz_is_success(void) {
  int res = 0;
  if (fz_board->runs - fz_queue->last_find < LONG_WITHOUT) return 0;
  for (u32 i = 0; i < fz_log->count; i++) {
    struct site *site = fz_all_turns_of(fz_log->at[i].site);
    if (site && site->tried) res |= fz_is_new_order(site, fz_order(&fz_log->at[i]));
  }
  return res;
}

/* Keeps an input for what it compares, which may count only later, where nothing of it is seen as an edge: a flag, a
 * sum. */
static void fz_keep_worth(const u8 *data, u32 length, enum stage stage, u32 parent) {
  struct entry *it = &fz_queue->at[parent];
  if (fz_run(data, length) != WENT) return;
  fz_news(1);
  u64 number = fz_board->entries;
  fz_add(data, length, stage, parent, it->nanoseconds);
  if (fz_board->entries > number) fz_queue->at[number].is_worth = 1, fz_queue->at[number].is_fragile = it->is_fragile;
}

static void fz_solve_one(u32 base) {
  struct compare it = fz_base[base];
  struct site *site = fz_site_of(&it);
  int order = fz_order(&it);
  fz_is_new_order(site, order);
  struct site *all_turns = fz_all_turns_of(it.site);
  if (all_turns) fz_is_new_order(all_turns, order), all_turns->tried |= order != 0;
  if (it.kind == BYTES || it.kind == TEXT) {
    if (it.size > 1) fz_add_token(it.a, it.size), fz_add_token(it.b, it.size);
  } else if (it.constant && it.size > 1) {
    u8 turned[8];
    for (u32 i = 0; i < it.size && i < 8; i++) turned[i] = it.a[it.size - 1 - i];
    fz_add_token(it.a, it.size);
    if (it.size <= 8) fz_add_token(turned, it.size);
  }
  if (order == 0) return;
  int known = site->was_equal && (it.kind >= BYTES || (site->was_less && site->was_greater));
  /* Less and less often: 1, 2, 4, ... */
  u32 tried = ++site->tried, bound = known ? 8 : 256;
  if (tried > bound && (tried & (tried - 1)) != 0 && fz_below(64)) return;
  u64 runs = fz_runs_left;
  int done = fz_solve_towards(base, it.b, it.a, 2) || (!it.constant && fz_solve_towards(base, it.a, it.b, 1));
  if (done) {
    if (!site->was_equal && fz_is_equal(&fz_base[base])) {
      site->was_equal = 1;
      site->tried = 0;
      fz_is_worth = 1;
    }
    return;
  }
  u32 count = fz_depends[base].count;
  if (site->was_equal || count == 0 || count > 24 || fz_runs_left < 4096) return;
  if (runs && (fz_descend(base, 0) || (it.kind != FLOATING && fz_descend(base, 1))) && fz_is_equal(&fz_base[base]))
    site->was_equal = 1, fz_is_worth = 1;
}

/* What was mutated at random breaks checksums and lengths: they are put right, and the input is run again. */
static void fz_havoc_repaired(u32 entry, u32 rounds) {
  struct entry *it = &fz_queue->at[entry];
  fz_solved_entry = entry;
  fz_runs_left = rounds * 8;
  fz_solving_ends = fz_now() + FIRST_SAVED * 4;
  fz_n_base = 0;
  fz_best_length = it->length;
  memcpy(fz_best_yet, fz_data(entry), it->length);
  fz_rebase();
  fz_number();
  while (rounds-- && fz_runs_left) {
    u32 length = it->length;
    memcpy(fz_candidate, fz_data(entry), length);
    if (fz_board->entries > 1 && fz_below(3) == 0) length = fz_splice(fz_candidate, length);
    for (u32 i = fz_below(4); i > 0; i--) length = fz_change(fz_candidate, length);
    fz_repair(length, HAVOC);
    if (fz_is_whole && fz_is_success()) fz_keep_worth(fz_candidate, length, HAVOC, entry);
  }
}

/* Of one entry, so many compares may end the worker. */
enum { MOST_SOLVERS = 64 };

static const u64 MOST_SAVED = 1000000000;

enum { MOST_TIMINGS = 16 };

/* How long an entry runs, as it is picked: what it took when it was found may have been the machine's other work, and
 * would have its compares cost so much that none is ever looked at. */
static void fz_time_again(u32 entry) {
  struct entry *it = &fz_queue->at[entry];
  /* Few times: it may end the worker this time. */
  if (it->timings == MOST_TIMINGS) return;
  it->timings++;
  u64 begin = fz_now();
  fz_try(fz_data(entry), it->length, COPIED, entry);
  u64 time = fz_now() - begin;
  if (time >= it->nanoseconds) return;
  fz_queue->total_time -= it->nanoseconds - time;
  it->nanoseconds = (u32)time;
}

static u64 fz_savings(const struct entry *it) { return it->saved < MOST_SAVED ? it->saved : MOST_SAVED; }

/* Runs that an entry's savings pay for; 0 where they are better kept: what it compares has to be found out each time, and
 * twice as much as the last time should be left for it. */
static u64 fz_affordable(const struct entry *it) {
  u64 run = it->nanoseconds + 1000u, looked_at = fz_least(it->length, MOST_PROBED);
  u64 looking = looked_at * fz_probes_of(it->length) * run, asked = looking + looking / 2;
  if (asked < 2 * it->spent) asked = 2 * it->spent;
  if (it->saved < asked && it->saved < MOST_SAVED) return 0;
  return fz_savings(it) / run + 64;
}

/* The compares of an entry, as far as its savings go; the rest of them another time. Each may end the worker, which is
 * what it is for: the next worker goes on behind it, as chance would have to find again what was known here. */
static void fz_solve(u32 entry) {
  struct entry *it = &fz_queue->at[entry];
  /* Again after a while: other compares are new then, and chance has a part in it. */
  int again = it->is_best && (it->picked == 64 || it->picked == 1024);
  if (it->is_solved && !again) return;
  if (it->is_solved) it->is_solved = 0, it->solvers = 0, it->next_compare = 0;
  fz_time_again(entry);
  u64 runs = fz_affordable(it);
  if (!runs) return;
  if (++it->solvers >= MOST_SOLVERS) it->is_solved = 1;
  /* The last worker has died of it. */
  if (fz_probes->now) fz_probes->fatal[fz_probes->now % MOST_FATAL] = fz_probes->now;
  fz_probes->now = 0;
  fz_solved_entry = entry;
  fz_n_base = 0;
  fz_best_length = it->length;
  memcpy(fz_best_yet, fz_data(entry), it->length);
  fz_runs_left = runs;
  fz_solving_ends = fz_now() + 2 * fz_savings(it);
  fz_rebase();
  fz_number();
  if (fz_n_base == 0 || it->length == 0) {
    it->is_solved = 1;
    return;
  }
  memset(fz_depends, 0, sizeof fz_depends);
  fz_probe(0);
  for (u32 i = 0; i < fz_n_base; i++)
    it->is_fragile |= !fz_base[i].constant && fz_base[i].kind == INTEGER && fz_base[i].size > 1 &&
                      fz_depends[i].count && fz_is_equal(&fz_base[i]);
  if (it->is_fragile && it->length <= 256) fz_probe(1);
  fz_is_worth = 0;
  for (u32 i; (i = it->next_compare) < fz_n_base && fz_runs_left;) {
    u64 left = fz_runs_left;
    it->next_compare = i + 1;
    fz_solve_one(i);
    /* Cut short, it is begun again another time; one that takes all there is is not waited for. */
    if (!fz_runs_left && left < runs / 2) it->next_compare = i;
  }
  if (it->next_compare >= fz_n_base) it->is_solved = 1;
  it->spent = fz_savings(it);
  it->saved = 0;
  if (fz_is_worth) fz_keep_worth(fz_best_yet, fz_best_length, COMPUTED, entry);
}
