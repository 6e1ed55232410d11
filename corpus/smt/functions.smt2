; Uninterpreted functions, defined ones, and their model.
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 2) Bool) (_ BitVec 4))
(define-sort Word () (_ BitVec 2))
(define-sort Table (V) (Array Word V))
(declare-const x Word)
(declare-const t (Table (_ BitVec 4)))
(define-fun twice ((v (_ BitVec 4)) (on Bool)) (_ BitVec 4) (ite on (bvadd v v) v))
(define-const limit (_ BitVec 4) #xc)
(assert (= x #b10))
(assert (bvugt (twice (f x true) true) limit))
(assert (= (f #b01 false) #x3))
(assert (= (f x (not false)) (select t x) #x7))
; expect: sat
(check-sat)
; expect: (
; expect:   (define-fun x () (_ BitVec 2) #b10)
; expect:   (define-fun t () (Array (_ BitVec 2) (_ BitVec 4)) (store ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0) #b10 #x7))
; expect:   (define-fun f ((x!1 (_ BitVec 2)) (x!2 Bool)) (_ BitVec 4) (ite (and (= x!1 #b01) (= x!2 false)) #x3 (ite (and (= x!1 #b10) (= x!2 true)) #x7 #x0)))
; expect: )
(get-model)
(assert (not (= (f #b11 true) (f (bvadd x #b01) true))))
; expect: unsat
(check-sat)
