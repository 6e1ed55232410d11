//@ entry: area
trait Shape {
    fn area(&self) -> u8;
}
struct Square(u8);
struct Line;
impl Shape for Square {
    fn area(&self) -> u8 {
        self.0 * self.0 //~ bug: panic
    }
}
impl Shape for Line {
    fn area(&self) -> u8 {
        0
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn area(side: u8) -> u8 {
    let shape: Box<dyn Shape> = if side == 0 { Box::new(Line) } else { Box::new(Square(side)) };
    shape.area()
}
