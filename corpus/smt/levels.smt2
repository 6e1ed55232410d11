; What is said in a level is forgotten with it, names and assertions; what is global stays.
(declare-const x (_ BitVec 4))
(assert (bvult x #x5))
(push 1)
  (declare-const y (_ BitVec 4))
  (assert (= y x)) (assert (bvugt y #x3))
  ; expect: sat
  (check-sat)
  ; expect: ((x #x4))
  (get-value (x))
  (push 2)
    (assert (= x #x0))
    ; expect: unsat
    (check-sat)
  (pop 2)
  ; expect: sat
  (check-sat)
(pop 1)
(declare-const y Bool)
(assert y)
(assert (= x #x0))
; expect: sat
(check-sat)
; expect: ((y true)
; expect:  (x #x0))
(get-value (y x))
(reset-assertions)
(declare-const x Bool)
(set-option :global-declarations true)
(push 1)
(declare-const stays Bool)
(assert (and x (not x)))
; expect: unsat
(check-sat)
(pop)
(assert stays)
; expect: sat
(check-sat)
(reset)
; expect: sat
(check-sat)
; error: 43:9: nothing is called `stays` here
(assert stays)
