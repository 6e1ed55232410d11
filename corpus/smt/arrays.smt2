; Arrays: reads over writes, constant arrays, a model.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const i (_ BitVec 4))
(declare-const j (_ BitVec 4))
(push 1)
(assert (not (= (select (store a i #x11) j) (ite (= i j) #x11 (select a j)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (= (select a i) #x01)) (assert (= (select a j) #x02)) (assert (= i j))
; expect: unsat
(check-sat)
(pop 1)
(assert (= (select ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x2a) i) (select a #x3)))
; expect: sat
(check-sat)
; expect: (((select a #x3) #x2a))
(get-value ((select a #x3)))
