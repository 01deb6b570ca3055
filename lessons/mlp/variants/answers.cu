// answer[i] = the class with the largest logit of row i
// logits: [n][classes], answer: [n]
__global__ void answers(const float* logits, int* answer,
                        int n, int classes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* row = logits + i * classes;
  int best = 0;
  for (int c = 1; c < classes; ++c)
    if (row[c] > row[best]) best = c;
  answer[i] = best;
}
