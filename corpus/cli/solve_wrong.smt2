; This says that it is unsatisfiable, and is not.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 32))
(assert (= (bvmul x x) #x00000031))
(check-sat)
