; The bindings of a `let` do not see each other; the inner one hides the outer one.
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (let ((x y) (y x)) (and (= x #x01) (= y #x02))))
; expect: sat
(check-sat)
; expect: ((x #x02)
; expect:  (y #x01)
; expect:  ((let ((x #x07)) (bvadd (let ((x #x10)) x) x)) #x17))
(get-value (x y (let ((x #x07)) (bvadd (let ((x #x10)) x) x))))
