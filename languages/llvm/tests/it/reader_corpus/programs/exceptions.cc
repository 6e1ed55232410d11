// Exceptions, virtual functions and templates, without headers.
struct Shape {
  virtual ~Shape() {}
  virtual int area() const = 0;
};
struct Square : virtual Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct Guard {
  int *count;
  ~Guard() { --*count; }
};

template <typename T> T largest(const T *values, int count) {
  T result = values[0];
  for (int i = 1; i < count; i++)
    if (result < values[i]) result = values[i];
  return result;
}

void check(int x) {
  if (x > 3) throw x;
  if (x > 2) throw "text";
}

int guarded(int x) {
  int count = 1;
  try {
    Guard guard{&count};
    check(x);
  } catch (int e) {
    return e;
  } catch (...) {
    return count;
  }
  return 7;
}

int main(int argc, char **argv) {
  double numbers[] = {1.5, 2.5};
  auto add = [&](int x) { return x + argc; };
  Shape *shape = new Square(argc);
  int result = guarded(argc) + add(3) + shape->area() + (int)largest(numbers, 2);
  delete shape;
  return result;
}
