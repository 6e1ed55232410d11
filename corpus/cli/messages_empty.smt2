(set-logic QF_BV)
