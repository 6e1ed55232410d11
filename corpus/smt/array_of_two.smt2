; Arrays of two elements: where both are written, what the array was before is nothing that could differ.
(define-sort Pair () (Array (_ BitVec 1) (_ BitVec 8)))
(declare-const a Pair)
(declare-const i (_ BitVec 1))
(declare-const v (_ BitVec 8))
(declare-const p Bool)
(define-fun both () Pair (store (store ((as const Pair) #x00) i v) (bvnot i) v))
(push)
(assert (=> p (= ((as const Pair) #x01) both)))
(assert p)
; expect: sat
(check-sat)
(assert (distinct v #x01))
; expect: unsat
(check-sat)
(pop)
; Where one is written, the other is what the array was.
(assert (or (not p) (= ((as const Pair) #x01) (store ((as const Pair) #x00) i v))))
(push)
; expect: sat
(check-sat)
(assert p)
; expect: unsat
(check-sat)
(pop)
; Through an array of which nothing else is known.
(assert (=> p (= a ((as const Pair) #x01))))
(assert (=> (not p) (= a ((as const Pair) #x02))))
(assert (= (= a ((as const Pair) v)) p))
; expect: sat
(check-sat)
(assert (bvugt v #x02))
; expect: sat
(check-sat)
(assert (= a ((as const Pair) v)))
; expect: unsat
(check-sat)
