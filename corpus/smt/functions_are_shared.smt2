; What a function is, is shared by all that apply it: by conditions on one small symbol, and by those that share no
; symbol. Asked one after the other, so that what was found before is built on.
(declare-fun f ((_ BitVec 6)) (_ BitVec 3))
(declare-const x (_ BitVec 6))
(declare-const y (_ BitVec 6))
(push 1)
(assert (distinct (f x) #b000))
; expect: sat
(check-sat)
(pop 1)
(assert (= x #b000000))
(assert (= (f x) #b001))
; expect: sat
(check-sat)
(push 1)
(assert (= y #b000001))
; expect: sat
(check-sat)
(assert (= (f y) #b010))
; expect: sat
(check-sat)
; expect: (((f x) #b001)
; expect:  ((f y) #b010))
(get-value ((f x) (f y)))
(pop 1)
(assert (= (f y) #b010))
(assert (= y #b000000))
; expect: unsat
(check-sat)
