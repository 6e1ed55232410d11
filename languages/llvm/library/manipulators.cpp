// The manipulators of <iomanip>: templates that libstdc++ makes for `char` in its shared library.
//
// Source: libstdc++ of GCC 12: iomanip.

#include <iomanip>

namespace std {

template ostream &operator<<(ostream &, _Setfill<char>);
template ostream &operator<<(ostream &, _Setiosflags);
template ostream &operator<<(ostream &, _Resetiosflags);
template ostream &operator<<(ostream &, _Setbase);
template ostream &operator<<(ostream &, _Setprecision);
template ostream &operator<<(ostream &, _Setw);
template istream &operator>>(istream &, _Setfill<char>);
template istream &operator>>(istream &, _Setiosflags);
template istream &operator>>(istream &, _Resetiosflags);
template istream &operator>>(istream &, _Setbase);
template istream &operator>>(istream &, _Setprecision);
template istream &operator>>(istream &, _Setw);

} // namespace std
