(** Inner product spaces over the reals: what the theorems of the lectures need of vectors.

    Nothing is said about coordinates or dimension. The plane is an instance, so is phi-space
    with a kernel, so are the features of structures. Positive semi-definite is enough. *)

Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.

Record space := {
  V :> Type;
  zero : V;
  add : V -> V -> V;
  mul : R -> V -> V;
  dot : V -> V -> R;
  dot_sym : forall v w, dot v w = dot w v;
  dot_zero : forall w, dot zero w = 0;
  dot_add : forall v w z, dot (add v w) z = dot v z + dot w z;
  dot_mul : forall a v w, dot (mul a v) w = a * dot v w;
  dot_pos : forall v, 0 <= dot v v
}.

Arguments zero {s}.
Arguments add {s}.
Arguments mul {s}.
Arguments dot {s}.

Declare Scope space_scope.
Delimit Scope space_scope with vec.
Notation "v + w" := (add v w) : space_scope.
Notation "a * v" := (mul a v) : space_scope.
Notation "v · w" := (dot v w) (at level 40).

(** The plane is one, so the theorems speak of something. *)
Definition plane : space.
Proof.
  refine {|
    V := R * R;
    zero := (0, 0);
    add := fun v w => (fst v + fst w, snd v + snd w);
    mul := fun a v => (a * fst v, a * snd v);
    dot := fun v w => fst v * fst w + snd v * snd w
  |}; intros; simpl; try ring.
  apply Rplus_le_le_0_compat; apply Rle_0_sqr.
Defined.

Section InnerProducts.
Variable E : space.
Implicit Types u v w z : E.

Lemma dot_add_r : forall v w z, v · (w + z)%vec = v · w + v · z.
Proof. intros. rewrite dot_sym, dot_add, (dot_sym _ w), (dot_sym _ z). reflexivity. Qed.

Lemma dot_mul_r : forall a v w, v · (a * w)%vec = a * (v · w).
Proof. intros. rewrite dot_sym, dot_mul, dot_sym. reflexivity. Qed.

Lemma dot_zero_r : forall v, v · zero = 0.
Proof. intros. rewrite dot_sym. apply dot_zero. Qed.

(** The squared norm of a sum of two vectors. *)
Lemma norm_sum : forall a b v w,
  (a * v + b * w)%vec · (a * v + b * w)%vec
  = a * a * (v · v) + 2 * a * b * (v · w) + b * b * (w · w).
Proof.
  intros. rewrite dot_add, !dot_add_r, !dot_mul, !dot_mul_r, (dot_sym _ w v). ring.
Qed.

(** The square of an inner product is at most the product of the squared norms. Two cases, one
    squared norm each. *)
Theorem cauchy_schwarz : forall v u, (v · u) * (v · u) <= (v · v) * (u · u).
Proof.
  intros v u.
  destruct (Rlt_le_dec 0 (u · u)) as [long | short].
  - apply Rmult_le_reg_l with (u · u); [exact long |].
    pose proof (dot_pos E ((u · u) * v + (- (v · u)) * u)%vec) as norm.
    rewrite norm_sum in norm. lra.
  - assert (u · u = 0) as null by (pose proof (dot_pos E u); lra).
    apply Rmult_le_reg_l with (v · v + 2); [pose proof (dot_pos E v); lra |].
    pose proof (dot_pos E ((v · v + 1) * u + (- (v · u)) * v)%vec) as norm.
    rewrite norm_sum, (dot_sym _ u v), null in norm. rewrite null. lra.
Qed.

End InnerProducts.

Print Assumptions cauchy_schwarz.
