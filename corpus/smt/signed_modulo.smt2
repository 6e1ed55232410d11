; bvsmod as the standard defines it, for all bytes; rotations as shifts.
(set-logic QF_BV)
(declare-const s (_ BitVec 6))
(declare-const t (_ BitVec 6))
(define-fun abs ((x (_ BitVec 6))) (_ BitVec 6) (ite (= ((_ extract 5 5) x) #b1) (bvneg x) x))
(push 1)
(assert (not (= (bvsmod s t)
  (let ((ms ((_ extract 5 5) s)) (mt ((_ extract 5 5) t)))
    (let ((u (bvurem (abs s) (abs t))))
      (ite (= u #b000000) u
        (ite (and (= ms #b0) (= mt #b0)) u
          (ite (and (= ms #b1) (= mt #b0)) (bvadd (bvneg u) t)
            (ite (and (= ms #b0) (= mt #b1)) (bvadd u t) (bvneg u))))))))))
; expect: unsat
(check-sat)
(pop 1)
(assert (not (= ((_ rotate_left 2) s) (bvor (bvshl s #b000010) (bvlshr s #b000100)))))
; expect: unsat
(check-sat)
