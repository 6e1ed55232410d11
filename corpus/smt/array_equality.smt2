; An equation of arrays that is asserted is substituted, and arrays that differ do so at an index. Within other formulas
; it is not decided in the process: unknown is an answer, and says why.
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
; expect: unknown
(check-sat)
; expect: (:reason-unknown "no solver here decides equality of arrays")
(get-info :reason-unknown)
