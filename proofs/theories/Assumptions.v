(** The assumptions of the theorems: dev/check_proofs expects [Closed under the global context] after each. *)

From Grundy Require Import Game Play Certificate Sections Check Verify Tables.

Print Assumptions finite_gains_have_worth.
Print Assumptions one_worth.
Print Assumptions known_value.
Print Assumptions strategy_known.
Print Assumptions table_sound.
Print Assumptions strategy_sound.
Print Assumptions rank_is_longest.
Print Assumptions table_ranks.
Print Assumptions strategy_ranks.
Print Assumptions meeting_is_value.
Print Assumptions verified.
Print Assumptions table_true.
Print Assumptions distances_true.
Print Assumptions outcomes_true.
Print Assumptions ordered_outcomes_true.
Print Assumptions points_true.
Print Assumptions ranked_true.
