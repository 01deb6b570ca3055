// out[y][x] = sum of the nine pixels round (x, y)
// image: a texture of width x height pixels; past an edge it
// gives the nearest pixel. out: [height][width]
__global__ void nine(cudaTextureObject_t image, float* out,
                     int width, int height) {
  // tex2D<float>(image, u, v) fetches one pixel
}
