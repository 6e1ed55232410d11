; A model is there after sat, and until something is asserted.
(declare-const p Bool)
; expect: sat
(check-sat)
(assert p)
; error: 7:1: there is no model: the last answer was not sat
(get-model)
