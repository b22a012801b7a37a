"""Temporary."""
from dataclasses import dataclass
import numpy as np
@dataclass(frozen=True)
class PSDLevel:
    eta: float
    v: np.ndarray | None
def psd_level(K):
    d=np.sqrt(np.maximum(K.diagonal(),0)); S=K/np.where(d>0,d,1)[:,None]/np.where(d>0,d,1)[None,:]
    S=0.5*(S+S.T)
    n=len(K)
    for eta in (1e-13*n,1e-11*n,1e-9*n):
        try:
            np.linalg.cholesky(S+eta*np.eye(n)); return PSDLevel(eta*1.1+n*(n+2)*1.2e-16,None)
        except np.linalg.LinAlgError: pass
    w,V=np.linalg.eigh(S)
    return PSDLevel(np.inf, V[:,0])
