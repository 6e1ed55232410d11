//@ paths: 3
// Virtual calls, new and delete.
#include <effigy.h>
struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct Strip : Shape {
  int length;
  explicit Strip(int length) : length(length) {}
  int area() const override { return length; }
};
int main() {
  int kind = effigy_int("kind");
  if (kind < 0) return 0;
  Shape *shape = kind == 0 ? static_cast<Shape *>(new Square(3)) : new Strip(5);
  int area = shape->area();
  delete shape;
  return area;
}
