// Numbers, characters and texts through the streams of libstdc++, with all flags, and one line for each: it is the same
// with the machine's functions and with ours.
#include <cfloat>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>
#include <system_error>

static unsigned long count = 0;
static unsigned long seed = 1;

static unsigned long random_number() {
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return seed >> 20;
}

static void see(const std::string &text) {
  count++;
  printf("%s|\n", text.c_str());
}

struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3\2"; }
  std::string do_truename() const override { return "wahr"; }
};

static std::ios_base::fmtflags some_flags() {
  using f = std::ios_base;
  static const f::fmtflags all[] = {f::boolalpha, f::dec,      f::fixed,      f::hex,      f::internal,  f::left,
                                    f::oct,       f::right,    f::scientific, f::showbase, f::showpoint, f::showpos,
                                    f::skipws,    f::uppercase};
  f::fmtflags res{};
  for (auto it : all)
    if (random_number() % 3 == 0) res |= it;
  return res;
}

static const long numbers[] = {0, 1, -1, 7, 8, 10, 99, 100, -100, 255, 256, 1000, 123456, -1234567, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN};
static const double reals[] = {0, -0.0, 1, -1, 0.1, 0.5, 1.5, 2.5, 3.14159265358979, 1e5, 1e6, 123456, 1234567, 1e15, 1e16, 1e17, 1e22,
                               1e-4, 1e-5, 1.0 / 3, 1e100, 1e-100, DBL_MAX, DBL_MIN, 4.9e-324, INFINITY, -INFINITY, NAN, 12345.6789};

static void write(std::ostream &out, int kind) {
  long n = numbers[random_number() % (sizeof numbers / sizeof *numbers)];
  if (random_number() % 2) n = (long)(random_number() << (random_number() % 40)) * (random_number() % 2 ? 1 : -1);
  double d = reals[random_number() % (sizeof reals / sizeof *reals)];
  switch (kind) {
    case 0: out << (int)n; break;
    case 1: out << (short)n; break;
    case 2: out << (unsigned)n; break;
    case 3: out << n; break;
    case 4: out << (unsigned long)n; break;
    case 5: out << (long long)n; break;
    case 6: out << (unsigned long long)n; break;
    case 7: out << (unsigned short)n; break;
    case 8: out << (n % 2 == 0); break;
    case 9: out << (void *)n; break;
    case 10: out << d; break;
    case 11: out << (float)d; break;
    case 12: out << (long double)d; break;
    case 13: out << (char)('a' + n % 7); break;
    case 14: out << "text" << (unsigned char)'u' << (signed char)'s'; break;
    case 15: out << std::string("a string"); break;
    default: out.put('p').write("written", 3); break;
  }
}

static void output() {
  std::locale grouped(std::locale(), new Grouped);
  for (int i = 0; i < 40000; i++) {
    std::ostringstream out;
    if (i % 10 == 0) out.imbue(grouped);
    out.flags(some_flags());
    out.precision((long)(random_number() % 25) - 2);
    out.fill(" *0"[random_number() % 3]);
    out.width(random_number() % 3 ? random_number() % 24 : 0);
    int kind = random_number() % 17;
    write(out, kind);
    out << ',' << out.width() << out.rdstate();
    see(std::to_string(kind) + " " + out.str());
  }
}

static std::string state_of(std::istream &in) {
  std::string res;
  if (in.eof()) res += "e";
  if (in.fail()) res += "f";
  if (in.bad()) res += "b";
  in.clear();
  return res + " " + std::to_string((long)in.tellg()) + " " + std::to_string(in.gcount());
}

template <typename T> static std::string read(std::istream &in) {
  T value{};
  in >> value;
  std::ostringstream out;
  out << std::setprecision(20) << value;
  return out.str();
}

static std::string read_one(std::istream &in, int kind) {
  char text[8] = "-------";
  switch (kind) {
    case 0: return read<int>(in);
    case 1: return read<short>(in);
    case 2: return read<unsigned>(in);
    case 3: return read<long>(in);
    case 4: return read<unsigned long>(in);
    case 5: return read<long long>(in);
    case 6: return read<unsigned long long>(in);
    case 7: return read<unsigned short>(in);
    case 8: return read<bool>(in);
    case 9: return read<void *>(in);
    case 10: return read<double>(in);
    case 11: return read<float>(in);
    case 12: return read<long double>(in);
    case 13: return read<char>(in);
    case 14: return read<std::string>(in);
    case 15: in >> std::setw(random_number() % 9) >> text; return text;
    case 16: in.getline(text, random_number() % 8 + 1); return text;
    case 17: in.getline(text, random_number() % 8 + 1, '1'); return text;
    case 18: in.ignore(); return "";
    case 19: in.ignore(random_number() % 5); return "";
    case 20: in.ignore(random_number() % 9, "1 \n"[random_number() % 3]); return "";
    case 21: return std::to_string(in.get());
    case 22: return std::to_string(in.peek());
    case 23: in.unget(); return "";
    case 24: in.putback("1 a"[random_number() % 3]); return "";
    case 25: in.read(text, random_number() % 7); return text;
    case 26: return std::to_string(in.readsome(text, random_number() % 7)) + text;
    case 27: in >> std::ws; return "";
    case 28: in.get(text, random_number() % 8 + 1); return text;
    case 29: {
      std::ostringstream out;
      in.get(*out.rdbuf(), '1');
      return out.str();
    }
    case 30: {
      std::ostringstream out;
      if (random_number() % 4 == 0) out << in.rdbuf();
      return out.str();
    }
    case 31: in.seekg(random_number() % 20); return "";
    default: {
      std::string line = "before";
      if (random_number() % 2)
        std::getline(in, line);
      else
        std::getline(in, line, ' ');
      return line;
    }
  }
}

static void input() {
  std::locale grouped(std::locale(), new Grouped);
  const char letters[] = "0011223789 \n\t-+.,eExXaf'tinf truefalse";
  const char *pieces[] = {"true", "false", "0x1f", "077", "-12", "99999999999999999999", "1e400", "1.5", "1e5", "inf", "1'234", "2147483648", "65536"};
  for (int i = 0; i < 40000; i++) {
    std::string text;
    for (unsigned long n = random_number() % 12; n > 0; n--)
      if (random_number() % 4 == 0)
        text += pieces[random_number() % (sizeof pieces / sizeof *pieces)];
      else
        text += letters[random_number() % (sizeof letters - 1)];
    std::istringstream in(text);
    if (i % 10 == 0) in.imbue(grouped);
    in.flags(some_flags());
    std::string res = text;
    for (int turn = 0; turn < 4; turn++) {
      int kind = random_number() % 33;
      res += "; " + std::to_string(kind) + " " + read_one(in, kind) + " " + state_of(in);
    }
    see(res);
  }
}

static void both_ways() {
  for (int i = 0; i < 2000; i++) {
    std::stringstream both(i % 2 ? "at first" : "", std::ios::in | std::ios::out | (i % 3 ? std::ios::ate : std::ios::app));
    for (int turn = 0; turn < 5; turn++) {
      switch (random_number() % 6) {
        case 0: both << random_number() % 100 << ' '; break;
        case 1: both.seekp(random_number() % 6); break;
        case 2: both.seekg(random_number() % 6, std::ios::beg); break;
        case 3: {
          std::stringstream other(std::move(both));
          other << "moved";
          both = std::move(other);
          break;
        }
        case 4: {
          std::stringstream other("other");
          both.swap(other);
          break;
        }
        default: see(read<std::string>(both));
      }
      see(both.str() + " " + std::to_string((long)both.tellp()) + " " + state_of(both));
    }
  }
}

static void errors() {
  for (int code = -2; code < 200; code++) {
    std::error_code system(code, std::system_category()), generic(code, std::generic_category());
    see(std::string(system.category().name()) + system.message() + generic.category().name() + generic.message());
    auto condition = system.default_error_condition();
    see(condition.category().name() + std::to_string(condition.value()) + (system == generic.default_error_condition() ? "=" : "-"));
    see(std::make_error_code(std::io_errc(code)).message());
  }
  try {
    throw std::system_error(std::make_error_code(std::errc::permission_denied), "what");
  } catch (const std::exception &e) {
    see(e.what());
  }
  try {
    std::istringstream in("");
    in.exceptions(std::ios::failbit | std::ios::eofbit);
    in.get();
  } catch (const std::ios_base::failure &e) {
    see(e.what() + e.code().message() + e.code().category().name());
  }
  try {
    std::locale none("none_NONE");
  } catch (const std::exception &e) {
    see(e.what());
  }
}

template <typename T> static void characters_of(T value) {
  char text[600];
  std::chars_format formats[] = {std::chars_format::fixed, std::chars_format::scientific, std::chars_format::general, std::chars_format::hex};
  auto see_it = [&](std::to_chars_result it) { see(it.ec == std::errc() ? std::string(text, it.ptr) : "too large"); };
  see_it(std::to_chars(text, text + 600, value));
  see_it(std::to_chars(text, text + 6, value));
  for (auto format : formats) {
    // The hexadecimal digits of a long double are grouped in another way than those that printf writes.
    if (sizeof(T) > 8 && format == std::chars_format::hex) continue;
    see_it(std::to_chars(text, text + 600, value, format));
    see_it(std::to_chars(text, text + 600, value, format, random_number() % 20));
  }
}

static void conversions() {
  for (double it : reals) {
    characters_of(it);
    characters_of((float)it);
    characters_of((long double)it);
  }
  for (int i = 0; i < 3000; i++) {
    unsigned long bits = random_number() ^ random_number() << 30;
    double value;
    __builtin_memcpy(&value, &bits, 8);
    characters_of(value);
    characters_of((double)(random_number() % 100000000) / 1000);
    characters_of((float)value);
  }
  const char letters[] = "0123.eE-+inaxf(_)p";
  std::chars_format formats[] = {std::chars_format::fixed, std::chars_format::scientific, std::chars_format::general, std::chars_format::hex};
  for (int i = 0; i < 40000; i++) {
    std::string text;
    for (unsigned long n = random_number() % 8; n > 0; n--) text += letters[random_number() % (sizeof letters - 1)];
    if (i % 7 == 0) text = "-inf";
    if (i % 11 == 0) text = "1e999";
    auto format = formats[random_number() % 4];
    double value = 77;
    auto it = std::from_chars(text.data(), text.data() + text.size(), value, format);
    see(text + " " + std::to_string(int(format)) + " " + std::to_string(it.ptr - text.data()) + " " + std::to_string(int(it.ec)) + " " + std::to_string(value));
  }
}

static void files() {
  char name[] = "/tmp/effigy-streams-XXXXXX";
  int descriptor = mkstemp(name);
  if (descriptor < 0) abort();
  close(descriptor);
  std::ios::openmode in = std::ios::in, out = std::ios::out, modes[] = {out, out | std::ios::app, in | out, in | out | std::ios::ate, in | out | std::ios::app, std::ios::trunc};
  for (int i = 0; i < 3000; i++) {
    std::fstream file(name, modes[random_number() % 6]);
    for (int turn = 0; turn < 6; turn++) {
      switch (random_number() % 6) {
        case 0: file << random_number() % 1000 << '\n'; break;
        case 1: file << std::string(random_number() % 9000, 'x'); break;
        case 2: file.seekp(random_number() % 60); break;
        case 3: file.seekg(-(long)(random_number() % 60), std::ios::end); break;
        case 4: file.flush(); break;
        default: see(read<std::string>(file));
      }
      see(state_of(file));
    }
    file.close();
    std::ifstream again(name);
    std::string line;
    while (std::getline(again, line)) see(line.substr(0, 20) + std::to_string(line.size()));
    if (i % 5 == 0) remove(name);
  }
  std::ifstream none("/nowhere/at/all");
  see(std::to_string(none.is_open()) + std::to_string(none.fail()));
  remove(name);
}

int main() {
  files();
  output();
  input();
  both_ways();
  errors();
  conversions();
  std::cout << "cout " << 1 << std::endl;
  printf("printf 2\n");
  std::cout << "and " << std::setw(5) << 3 << '\n';
  std::cerr << "cerr\n";
  std::clog << "clog\n";
  char c;
  std::cin >> c;
  std::cout << std::cin.eof() << count << "\n";
  return 0;
}
