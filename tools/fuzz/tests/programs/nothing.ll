declare i32 @puts(i8*)
