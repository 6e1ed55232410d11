(declare-const x (_ BitVec 8))
(assert (= x
  #x100))
