; An equation of arrays that is asserted is substituted, and arrays that differ do so at an index. Within other formulas
; it is a bit, and arrays are compared where a model has something to say of them.
(declare-const a (Array (_ BitVec 2) Bool))
(declare-const b (Array (_ BitVec 2) Bool))
(declare-const c (Array (_ BitVec 2) Bool))
(declare-const i (_ BitVec 2))
(push)
(assert (not (= a b)))
; expect: sat
(check-sat)
(assert (= a (store b i true)))
; expect: sat
(check-sat)
(assert (select b i))
; expect: unsat
(check-sat)
(pop)
(assert (not (= b c)))
(assert (or (and (= a b) (select b i)) (and (= a c) (select c i))))
; expect: sat
(check-sat)
(assert (not (select a i)))
; expect: unsat
(check-sat)
