; Constructs of LLVM 16 to 18, hand-written: opaque pointers, target types, memory effects, scalable vectors.
target datalayout = "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"
target triple = "aarch64-unknown-linux-gnu"

%pair = type { ptr, i64 }

@pair = dso_local global %pair { ptr @pair, i64 ptrtoint (ptr @pair to i64) }, align 8
@weak = extern_weak global i8
@per_thread = thread_local(localexec) global i32 7, align 4
@moved = global ptr getelementptr inbounds (%pair, ptr @pair, i64 1), align 8, no_sanitize_address
@range = constant { [2 x ptr], [1 x ptr] } zeroinitializer, align 8
@inside = global ptr getelementptr inbounds ({ [2 x ptr], [1 x ptr] }, ptr @range, i32 0, inrange i32 0, i32 1)
@kept = global ptr no_cfi @external
@offset = global i32 trunc (i64 sub (i64 ptrtoint (ptr dso_local_equivalent @external to i64), i64 ptrtoint (ptr @offset to i64)) to i32)

declare void @external(ptr nocapture noundef readonly, i1 zeroext, ...) local_unnamed_addr #0
declare target("aarch64.svcount") @svcount()
declare <vscale x 4 x i1> @llvm.aarch64.sve.ptrue.nxv4i1(i32 immarg)

define dso_local { i64, i1 } @checked(i64 %a, i64 noundef %b) #0 {
  %1 = tail call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %2 = extractvalue { i64, i1 } %1, 0
  %3 = insertvalue { i64, i1 } poison, i64 %2, 0
  ret { i64, i1 } %3
}
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64) #1

define void @scalable(ptr %p, i64 %n) vscale_range(1,16) #0 {
entry:
  %mask = call <vscale x 4 x i1> @llvm.aarch64.sve.ptrue.nxv4i1(i32 31)
  %one = insertelement <vscale x 4 x float> poison, float 1.000000e+00, i64 0
  %ones = shufflevector <vscale x 4 x float> %one, <vscale x 4 x float> poison, <vscale x 4 x i32> zeroinitializer
  %v = load <vscale x 4 x float>, ptr %p, align 16
  %sum = fadd <vscale x 4 x float> %v, %ones
  %addresses = getelementptr float, ptr %p, <vscale x 4 x i64> zeroinitializer
  store <vscale x 4 x float> %sum, ptr %p, align 16
  %count = call target("aarch64.svcount") @svcount()
  %wide = zext i64 %n to i128
  %f16 = fptrunc double 5.000000e-01 to half
  %less = fcmp ult half %f16, 0xH3C00
  %b = sitofp i64 %n to bfloat
  ret void
}

define i32 @goto(i32 %x) #0 {
  callbr void asm sideeffect "", "r,!i,~{memory}"(i32 %x) #2
          to label %1 [label %2], !srcloc !0

1:                                                ; preds = %0
  ret i32 1

2:                                                ; preds = %0
  %3 = load atomic i32, ptr @per_thread syncscope("agent") acquire, align 4
  %4 = atomicrmw uinc_wrap ptr @per_thread, i32 %3 syncscope("agent") seq_cst, align 4
  %5 = freeze i32 %4
  ret i32 %5
}

define ptr @labels() {
entry:
  indirectbr ptr blockaddress(@labels, %out), [label %out]

out:
  %t = call ptr @llvm.threadlocal.address.p0(ptr align 4 @per_thread)
  call void @llvm.assume(i1 true) [ "align"(ptr %t, i64 16), "nonnull"(ptr %t) ]
  ret ptr %t
}
declare ptr @llvm.threadlocal.address.p0(ptr nonnull)
declare void @llvm.assume(i1 noundef)

attributes #0 = { nounwind memory(argmem: readwrite, inaccessiblemem: none) uwtable(sync) "target-features"="+sve,+neon" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind memory(read) }
uselistorder ptr @per_thread, { 2, 1, 0 }
!0 = !{i64 1, i64 2}
