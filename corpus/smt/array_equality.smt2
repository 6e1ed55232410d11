; Equality of arrays is not decided in the process: unknown is an answer, and says why.
(declare-const a (Array (_ BitVec 2) Bool))
(declare-const b (Array (_ BitVec 2) Bool))
(assert (not (= a b)))
; expect: unknown
(check-sat)
; expect: (:reason-unknown "no solver here decides equality of arrays")
(get-info :reason-unknown)
