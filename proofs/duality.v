(** Weak duality of the soft-margin support vector machine, over any inner product space. *)

Require Import Reals List Lra.
From lectures Require Import inner_product.
Import ListNotations.
Open Scope R_scope.

Section Duality.
Variable E : space.
Implicit Types (w x : E) (b C : R).

(** One example with its label, its multiplier and its slack. *)
Record example := { x : E; y : R; alpha : R; xi : R }.

Fixpoint sum (f : example -> R) (examples : list example) : R :=
  match examples with
  | [] => 0
  | e :: rest => f e + sum f rest
  end.

(** v = sum of alpha y x. *)
Fixpoint expansion (examples : list example) : E :=
  match examples with
  | [] => zero
  | e :: rest => (alpha e * y e * x e + expansion rest)%vec
  end.

Definition primal w C examples : R := w · w / 2 + C * sum xi examples.

Definition dual examples : R :=
  sum alpha examples - expansion examples · expansion examples / 2.

(** The slack of every example is one for w, b, and every multiplier is between 0 and C. *)
Definition feasible w b C (e : example) : Prop :=
  0 <= alpha e <= C /\ 0 <= xi e /\ 1 - xi e <= y e * (w · x e + b).

Definition balanced examples : Prop := sum (fun e => alpha e * y e) examples = 0.

(** terms: C X + w·v + b S - A grows by upper * slack + lower * margin. *)
Lemma terms : forall w b C examples,
  Forall (feasible w b C) examples ->
  sum alpha examples
  <= C * sum xi examples + w · expansion examples
     + b * sum (fun e => alpha e * y e) examples.
Proof.
  induction 1 as [| e rest [[lower upper] [slack margin]] _ IH]; simpl.
  - rewrite dot_zero_r. lra.
  - rewrite dot_add_r, dot_mul_r.
    assert (0 <= (C - alpha e) * xi e) by (apply Rmult_le_pos; lra).
    assert (0 <= alpha e * (y e * (w · x e + b) - (1 - xi e))) by (apply Rmult_le_pos; lra).
    lra.
Qed.

(** No feasible alpha has a dual value above the primal value of any w, b with its slacks. *)
Theorem weak_duality : forall (w : E) (b C : R) (examples : list example),
  Forall (feasible w b C) examples ->
  balanced examples ->
  dual examples <= primal w C examples.
Proof.
  intros w b C examples all balance. unfold dual, primal, balanced in *.
  pose proof (terms w b C examples all) as T. rewrite balance in T.
  pose proof (dot_pos E (1 * w + (-1) * expansion examples)%vec) as norm.
  rewrite norm_sum in norm. lra.
Qed.

(** The products of the KKT conditions. *)
Definition kkt w b C (e : example) : Prop :=
  (C - alpha e) * xi e = 0 /\ alpha e * (y e * (w · x e + b) - 1 + xi e) = 0.

(** If every product of the KKT conditions is 0, alpha is balanced and w is the sum of alpha y x,
    then primal and dual value are equal: both are optimal. *)
Theorem kkt_means_gap_0 : forall (w : E) (b C : R) (examples : list example),
  Forall (kkt w b C) examples ->
  balanced examples ->
  w = expansion examples ->
  dual examples = primal w C examples.
Proof.
  intros w b C examples all balance weights. unfold dual, primal, balanced in *.
  assert (sum alpha examples
          = C * sum xi examples + w · expansion examples
            + b * sum (fun e => alpha e * y e) examples) as T.
  { clear balance weights. induction all as [| e rest [bounded tight] _ IH]; simpl.
    - rewrite dot_zero_r. lra.
    - rewrite dot_add_r, dot_mul_r. lra. }
  rewrite balance, <- weights in T. rewrite <- weights. lra.
Qed.

End Duality.

Print Assumptions weak_duality.
Print Assumptions kkt_means_gap_0.
