; Core: connectives, equality that chains, implication from right to left.
(set-logic QF_UF)
(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
; expect: unsat
(push 1) (assert (not (= (=> p q r) (=> p (=> q r))))) (check-sat) (pop 1)
; expect: unsat
(push 1) (assert (not (= (xor p q r) (xor (xor p q) r)))) (check-sat) (pop 1)
; expect: unsat
(push 1) (assert (distinct p q r)) (check-sat) (pop 1)
; expect: unsat
(push 1) (assert (= p q r)) (assert (distinct p r)) (check-sat) (pop 1)
; expect: sat
; expect: ((p true)
; expect:  (q false))
(push 1) (assert (ite p (not q) false)) (check-sat) (get-value (p q)) (pop 1)
; expect: sat
(check-sat)
; expect: unsat
(check-sat-assuming (p (not p)))
; expect: sat
(check-sat-assuming ())
(exit)
(this is not read)
