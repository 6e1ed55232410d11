; bvredor, bvredand and bvredxor, for all words of five bits and for a single one.
(set-logic QF_BV)
(declare-const s (_ BitVec 5))
(declare-const t (_ BitVec 1))
(define-fun bit ((i (_ BitVec 5))) (_ BitVec 1) ((_ extract 0 0) (bvlshr s i)))
(push 1)
(assert (not (= (bvredor s) (bvor (bit #b00000) (bit #b00001) (bit #b00010) (bit #b00011) (bit #b00100)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (not (= (bvredand s) (bvand (bit #b00000) (bit #b00001) (bit #b00010) (bit #b00011) (bit #b00100)))))
; expect: unsat
(check-sat)
(pop 1)
(push 1)
(assert (not (= (bvredxor s) (bvxor (bit #b00000) (bit #b00001) (bit #b00010) (bit #b00011) (bit #b00100)))))
; expect: unsat
(check-sat)
(pop 1)
(assert (not (and (= (bvredor t) t) (= (bvredand t) t) (= (bvredxor t) t))))
; expect: unsat
(check-sat)
