; Constructs of LLVM 20 to 22, hand-written: addresses of pointers, lifetimes without sizes, captures.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@address = global i64 ptrtoaddr (ptr @address to i64)
@after = global ptr getelementptr nusw nuw (i8, ptr @address, i64 8)

define i64 @f(ptr dead_on_return noalias captures(none) initializes((0, 8), (16, 24)) %p, ptr captures(address, read_provenance, ret: address, provenance) %q) #0 {
  %x = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %x)
  %a = ptrtoaddr ptr %p to i64
  %b = getelementptr nusw nuw i8, ptr %q, i64 %a
  %c = atomicrmw fmaximum ptr %b, double 1.0 syncscope("agent") monotonic, align 8
  %d = atomicrmw usub_sat ptr %b, i64 %a seq_cst
  %e = load atomic <2 x i32>, ptr %b acquire, align 8
  %g = trunc nsw <2 x i32> %e to <2 x i8>
  %h = call <2 x i8> @llvm.vector.insert.v2i8.v2i8(<2 x i8> %g, <2 x i8> splat (i8 1), i64 0)
  call void @llvm.lifetime.end.p0(ptr nonnull %x)
  %i = icmp samesign slt i64 %a, %d
  %j = select reassoc nsz i1 %i, double %c, double -0.0
  ret i64 %a
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1
declare <2 x i8> @llvm.vector.insert.v2i8.v2i8(<2 x i8>, <2 x i8>, i64 immarg)

attributes #0 = { nounwind nocreateundeforpoison memory(target_mem0: none, errnomem: write) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
