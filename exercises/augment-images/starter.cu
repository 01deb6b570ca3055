// Moves each image of a batch by some pixels of its own, by
// two launches with blocks of 256 threads:
//   draw_moves: a thread for each image
//   move_images: a thread for each pixel of each channel
// moves: [images][2], how many rows down and how many
// columns to the right
// x, moved: [images][channels][side][side]
__global__ void draw_moves(int* moves, int images, int step) {
  int image = blockIdx.x * blockDim.x + threadIdx.x;
  if (image >= images) return;
  // how far should this image move in this step?
  moves[2 * image] = 0;
  moves[2 * image + 1] = 0;
}

__global__ void move_images(const float* x, const int* moves,
                            float* moved, int images,
                            int channels, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= images * channels * side * side) return;
  // which pixel comes here?
  moved[i] = x[i];
}
