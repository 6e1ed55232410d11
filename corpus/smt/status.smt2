; A status is of the next query only.
(set-info :status unsat)
(assert false)
; expect: unsat
(check-sat)
(reset)
; expect: sat
(check-sat)
