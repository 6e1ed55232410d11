; A name between bars is the same name; attributes; comments and texts in odd places.
(set-info :source |a text with ( ( " ; in it
over two lines|)
(set-info :note "a ""quoted"" text with ) and | in it")
(declare-const |x| (_ BitVec 4))
(declare-const |two words| Bool)
(assert (! (= x #x3) :named first :note (something (nested))))
(assert (= |two words| first)) ; a comment with )
(push 1)
; expect: sat
(check-sat)
; expect: (
; expect:   (define-fun x () (_ BitVec 4) #x3)
; expect:   (define-fun |two words| () Bool true)
; expect: )
(get-model)
; expect: ((first true)
; expect:  (|two words| true)
; expect:  (|x| #x3))
(get-value (first |two words| |x|))
; expect: "x ""y"" z"
(echo "x ""y"" z")
(set-option :print-success true)
; expect: success
; expect: success
(assert true)
; expect: sat
(check-sat)
; expect: unsupported
(get-proof)
; expect: unsupported
(set-option :something 1)
; error: 34:2: a command was expected, not `unheard-of`
(unheard-of)
