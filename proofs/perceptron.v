(** The perceptron's mistake bounds, over any inner product space.

    An example is signed: z = y x, or y phi(x), or phi(x, y) - phi(x, s) for structures. A mistake
    is w · z <= 0, an update w + z. Lists have the latest first. *)

Require Import Reals List Lra.
From lectures Require Import inner_product.
Import ListNotations.
Open Scope R_scope.

Section Perceptron.
Variable E : space.
Implicit Types (u w z : E) (examples mistakes : list E).

(** The algorithm: start at 0, on a mistake add the signed example. *)

Fixpoint weights mistakes : E :=
  match mistakes with
  | [] => zero
  | z :: before => (weights before + z)%vec
  end.

Fixpoint perceptron examples : list E :=
  match examples with
  | [] => []
  | z :: before =>
      let mistakes := perceptron before in
      if Rle_lt_dec (weights mistakes · z) 0 then z :: mistakes else mistakes
  end.

Definition count mistakes : R := INR (length mistakes).

(** Each listed example was a mistake when it came. *)
Fixpoint all_mistaken mistakes : Prop :=
  match mistakes with
  | [] => True
  | z :: before => weights before · z <= 0 /\ all_mistaken before
  end.

Lemma perceptron_errs : forall examples, all_mistaken (perceptron examples).
Proof.
  induction examples as [| z before IH]; simpl; [exact I |].
  destruct (Rle_lt_dec _ 0); simpl; auto.
Qed.

Lemma perceptron_subset : forall (P : E -> Prop) examples,
  Forall P examples -> Forall P (perceptron examples).
Proof.
  induction 1 as [| z before Pz _ IH]; simpl; [constructor |].
  destruct (Rle_lt_dec _ 0); [constructor |]; assumption.
Qed.

Lemma count_cons : forall z mistakes, count (z :: mistakes) = count mistakes + 1.
Proof. intros. unfold count. simpl length. apply S_INR. Qed.

Lemma count_pos : forall mistakes, 0 <= count mistakes.
Proof. intros. apply pos_INR. Qed.

(** growth: (k+1) R² - |w + z|² = growth + 2 mistake + radius. *)
Lemma growth : forall R mistakes,
  all_mistaken mistakes -> Forall (fun z => z · z <= R * R) mistakes ->
  weights mistakes · weights mistakes <= count mistakes * (R * R).
Proof.
  intros R mistakes. induction mistakes as [| z before IH]; intros errs radius.
  - unfold count. simpl. rewrite dot_zero. lra.
  - destruct errs as [mistake errs]. inversion_clear radius as [| ? ? short rest].
    rewrite count_cons. simpl weights.
    rewrite dot_add, !dot_add_r, (dot_sym _ z). specialize (IH errs rest). lra.
Qed.

(** progress: (w + z)·u - (k+1) gamma = progress + margin. *)
Lemma progress : forall u gamma mistakes,
  Forall (fun z => gamma <= z · u) mistakes ->
  count mistakes * gamma <= weights mistakes · u.
Proof.
  induction 1 as [| z before margin _ IH].
  - unfold count. simpl. rewrite dot_zero. lra.
  - rewrite count_cons. simpl weights. rewrite dot_add. lra.
Qed.

(** On data with margin gamma in a ball of radius R around the origin, the perceptron makes at most
    (R/gamma)^2 mistakes. *)
Theorem mistake_bound : forall (u : E) (R gamma : R) (examples : list E),
  u · u = 1 -> 0 < gamma ->
  Forall (fun z => gamma <= z · u) examples ->
  Forall (fun z => z · z <= R * R) examples ->
  count (perceptron examples) <= (R / gamma) ^ 2.
Proof.
  intros u R gamma examples unit positive margin radius.
  set (mistakes := perceptron examples).
  pose proof (progress u gamma mistakes (perceptron_subset _ _ margin)) as P.
  pose proof (growth R mistakes (perceptron_errs _) (perceptron_subset _ _ radius)) as G.
  pose proof (cauchy_schwarz E (weights mistakes) u) as S. rewrite unit in S.
  pose proof (count_pos mistakes) as N.
  set (k := count mistakes) in *. set (w := weights mistakes) in *.
  replace ((R / gamma) ^ 2) with (R * R / (gamma * gamma)) by (field; lra).
  assert (0 < gamma * gamma) as square by (apply Rmult_lt_0_compat; assumption).
  apply Rmult_le_reg_r with (gamma * gamma); [exact square |].
  replace (R * R / (gamma * gamma) * (gamma * gamma)) with (R * R) by (field; lra).
  destruct (Rle_lt_or_eq_dec 0 k N) as [some | none].
  - apply Rmult_le_reg_l with k; [exact some |].
    assert (0 <= k * gamma) by (apply Rmult_le_pos; lra).
    assert ((k * gamma) * (k * gamma) <= (w · u) * (w · u)) by (apply Rmult_le_compat; lra).
    lra.
  - rewrite <- none. pose proof (Rle_0_sqr R). unfold Rsqr in *. lra.
Qed.

(** The slack of an example, and L, the sum of the slacks over the mistakes. *)

Definition slack u z : R := Rmax 0 (1 - z · u).

Fixpoint losses u mistakes : R :=
  match mistakes with
  | [] => 0
  | z :: before => losses u before + slack u z
  end.

Lemma losses_pos : forall u mistakes, 0 <= losses u mistakes.
Proof.
  intros. induction mistakes as [| z before IH]; simpl; [lra |].
  pose proof (Rmax_l 0 (1 - z · u)). unfold slack. lra.
Qed.

(** progress: (w + z)·u - (T+1) + (L + xi) = progress + slack. *)
Lemma hinge_progress : forall u mistakes,
  count mistakes - losses u mistakes <= weights mistakes · u.
Proof.
  intros. induction mistakes as [| z before IH].
  - unfold count. simpl. rewrite dot_zero. lra.
  - rewrite count_cons. simpl. rewrite dot_add.
    pose proof (Rmax_r 0 (1 - z · u)). unfold slack. lra.
Qed.

(** On any data, for any u of any length, the perceptron makes at most R^2 norm(u)^2 + 2 L mistakes,
    where L is the sum of the slacks over the mistakes, repeats included. *)
Theorem hinge_mistake_bound : forall (u : E) (R : R) (examples : list E),
  Forall (fun z => z · z <= R * R) examples ->
  count (perceptron examples) <= R ^ 2 * (u · u) + 2 * losses u (perceptron examples).
Proof.
  intros u R examples radius. set (mistakes := perceptron examples).
  pose proof (hinge_progress u mistakes) as P.
  pose proof (growth R mistakes (perceptron_errs _) (perceptron_subset _ _ radius)) as G.
  pose proof (cauchy_schwarz E (weights mistakes) u) as S.
  pose proof (losses_pos u mistakes) as losses_sign.
  pose proof (count_pos mistakes) as N. pose proof (dot_pos E u) as U.
  set (T := count mistakes) in *. set (L := losses u mistakes) in *.
  set (w := weights mistakes) in *. replace (R ^ 2) with (R * R) by ring.
  assert (0 <= R * R * (u · u)) by (apply Rmult_le_pos; [apply Rle_0_sqr | exact U]).
  destruct (Rle_lt_dec L T) as [enough | short]; [| lra]. (* T < L: nothing to show *)
  destruct (Rle_lt_or_eq_dec 0 T N) as [some | none]; [| lra].
  apply Rmult_le_reg_l with T; [exact some |].
  assert ((T - L) * (T - L) <= (w · u) * (w · u)) by (apply Rmult_le_compat; lra).
  assert ((w · w) * (u · u) <= T * (R * R) * (u · u)) by (apply Rmult_le_compat_r; assumption).
  pose proof (Rle_0_sqr L). unfold Rsqr in *. lra.
Qed.

End Perceptron.

Print Assumptions mistake_bound.
Print Assumptions hinge_mistake_bound.
