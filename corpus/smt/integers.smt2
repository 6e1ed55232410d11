; Integers, fractions and quantified formulas go to the SMT solver over the pipe.
; solver: z3
(set-logic ALL)
(declare-const n Int)
(declare-const r Real)
(declare-sort T 0)
(declare-const s T) (declare-const t T)
(assert (and (< 3 n 5) (= r (/ (to_real n) 8.0)) (= (mod n (- 3)) 1) (= (abs (- n)) (* 2 (div n 2)))))
; expect: sat
(check-sat)
; expect: ((n 4)
; expect:  (r (/ 1.0 2.0))
; expect:  ((- n) (- 4)))
(get-value (n r (- n)))
(push 1)
(assert (forall ((x T)) (! (= x s) :pattern ((= x t)))))
(assert (distinct s t))
; expect: unsat
(check-sat)
(pop 1)
(assert (exists ((x Int) (y Int)) (and (< x y n) (= (+ x y) 5))))
; expect: sat
(check-sat)
