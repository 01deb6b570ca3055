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
  // a number for this image and step, and its bits mixed
  unsigned bits = (step * images + image) * 2654435761u;
  bits = (bits ^ bits >> 15) * 2246822519u;
  bits ^= bits >> 13;
  moves[2 * image] = int(bits % 9) - 4;
  moves[2 * image + 1] = int(bits / 9 % 9) - 4;
}

__global__ void move_images(const float* x, const int* moves,
                            float* moved, int images,
                            int channels, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int plane = i / (side * side), image = plane / channels;
  if (image >= images) return;
  int row = i / side % side - moves[2 * image];
  int column = i % side;
  // outside, the image goes on as it is at its edge
  row = min(max(row, 0), side - 1);
  column = min(max(column, 0), side - 1);
  moved[i] = x[(plane * side + row) * side + column];
}
