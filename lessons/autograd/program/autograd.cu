// A tape for tensors: operations write themselves down, and backward() walks back. Three days of sun and wind.
// nvcc -o autograd autograd.cu && ./autograd
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

// Kernels. A matrix of any shape and strides.
struct Matrix {
  float* words;
  int rows, columns;
  int row_stride, column_stride;
  __device__ float& at(int row, int column) const {
    return words[row * row_stride + column * column_stride];
  }
};

// out = a + b, or out = a * b
__global__ void combine(Matrix a, Matrix b, Matrix out,
                        bool product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= out.rows * out.columns) return;
  int row = i / out.columns, column = i % out.columns;
  float x = a.at(row, column), y = b.at(row, column);
  out.at(row, column) = product ? x * y : x + y;
}

// out = a b
__global__ void matmul(Matrix a, Matrix b, Matrix out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= out.rows * out.columns) return;
  int row = i / out.columns, column = i % out.columns;
  float sum = 0;
  for (int d = 0; d < a.columns; ++d)
    sum += a.at(row, d) * b.at(d, column);
  out.at(row, column) = sum;
}

// The way back of broadcasting: where out has extent 1, it is
// the sum along that axis.
__global__ void sum_to(Matrix dy, Matrix out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= out.rows * out.columns) return;
  int row = i / out.columns, column = i % out.columns;
  int rows = dy.rows / out.rows;
  int columns = dy.columns / out.columns;
  float sum = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      sum += dy.at(row + r, column + c);
  out.at(row, column) = sum;
}

// Tensors: memory that views share, and gradients.
struct Tensor {
  std::shared_ptr<float> memory;
  Matrix matrix;
};
Tensor empty(int rows, int columns) {
  float* words = nullptr;
  CHECK(cudaMalloc(&words, rows * columns * sizeof(float)));
  const auto give_back = [](float* p) { CHECK(cudaFree(p)); };
  return {{words, give_back}, {words, rows, columns, columns, 1}};
}
Tensor upload(int rows, int columns,
              const std::vector<float>& values) {
  Tensor t = empty(rows, columns);
  CHECK(cudaMemcpy(t.matrix.words, values.data(),
                   values.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  return t;
}
std::vector<float> download(const Tensor& t) {
  std::vector<float> values(t.matrix.rows * t.matrix.columns);
  CHECK(cudaMemcpy(values.data(), t.matrix.words,
                   values.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  return values;
}

// Views: no kernel, no copy.
Tensor transposed(Tensor t) {
  std::swap(t.matrix.rows, t.matrix.columns);
  std::swap(t.matrix.row_stride, t.matrix.column_stride);
  return t;
}
Tensor broadcast(Tensor t, int rows, int columns) {
  Matrix& m = t.matrix;
  if (m.rows != rows) m.row_stride = 0;
  if (m.columns != columns) m.column_stride = 0;
  m.rows = rows;
  m.columns = columns;
  return t;
}

// Launches.
int blocks(const Tensor& t) {
  return (t.matrix.rows * t.matrix.columns + 127) / 128;
}
Tensor combined(const Tensor& a, const Tensor& b,
                bool product) {
  int rows = std::max(a.matrix.rows, b.matrix.rows);
  int columns = std::max(a.matrix.columns, b.matrix.columns);
  Tensor out = empty(rows, columns);
  combine<<<blocks(out), 128>>>(
      broadcast(a, rows, columns).matrix,
      broadcast(b, rows, columns).matrix, out.matrix, product);
  CHECK(cudaGetLastError());
  return out;
}
Tensor multiplied(const Tensor& a, const Tensor& b) {
  Tensor out = empty(a.matrix.rows, b.matrix.columns);
  matmul<<<blocks(out), 128>>>(a.matrix, b.matrix, out.matrix);
  CHECK(cudaGetLastError());
  return out;
}
Tensor summed_to(const Tensor& dy, const Tensor& like) {
  const Matrix &from = dy.matrix, &to = like.matrix;
  if (from.rows == to.rows && from.columns == to.columns)
    return dy;  // nothing was repeated
  Tensor out = empty(like.matrix.rows, like.matrix.columns);
  sum_to<<<blocks(out), 128>>>(dy.matrix, out.matrix);
  CHECK(cudaGetLastError());
  return out;
}

// The tape.
struct Variable {
  Tensor value;
  std::shared_ptr<Tensor> gradient;  // null: none yet
  bool wants = true, put_in = true;
};
using Var = std::shared_ptr<Variable>;
struct Node {
  Var output;
  std::function<void(const Tensor& dy)> go_back;
};
std::vector<Node> tape;

Var parameter(Tensor t) {
  return std::make_shared<Variable>(Variable{t});
}
Var data(Tensor t) {
  return std::make_shared<Variable>(Variable{t, {}, false});
}
void give(const Var& v, const Tensor& gradient) {
  if (!v->wants) return;
  v->gradient = std::make_shared<Tensor>(
      v->gradient ? combined(*v->gradient, gradient, false)
                  : gradient);
}
Var note(Tensor value, std::function<void(const Tensor&)> back) {
  Var output = parameter(value);
  output->put_in = false;
  tape.push_back({output, back});
  return output;
}
Var add(Var a, Var b) {
  return note(combined(a->value, b->value, false),
              [=](const Tensor& dy) {
                give(a, summed_to(dy, a->value));
                give(b, summed_to(dy, b->value));
              });
}
Var multiply(Var a, Var b) {
  return note(combined(a->value, b->value, true),
              [=](const Tensor& dy) {
                Tensor to_a = combined(dy, b->value, true);
                Tensor to_b = combined(dy, a->value, true);
                give(a, summed_to(to_a, a->value));
                give(b, summed_to(to_b, b->value));
              });
}
Var product(Var a, Var b) {
  return note(multiplied(a->value, b->value),
              [=](const Tensor& dc) {
                give(a, multiplied(dc, transposed(b->value)));
                give(b, multiplied(transposed(a->value), dc));
              });
}
Var sum(Var a) {
  const Matrix m = a->value.matrix;
  return note(summed_to(a->value, empty(1, 1)),
              [=](const Tensor& dy) {
                give(a, broadcast(dy, m.rows, m.columns));
              });
}
void backward(const Var& loss) {
  for (Node& node : tape)
    node.output->gradient.reset();  // only what was put in adds up
  give(loss, upload(1, 1, {1}));
  for (auto node = tape.rbegin(); node != tape.rend(); ++node)
    if (node->output->gradient)
      node->go_back(*node->output->gradient);
}

bool is(const char* name, const Tensor& t,
        const std::vector<float>& expected) {
  const std::vector<float> values = download(t);
  printf("%-18s", name);
  for (float value : values) printf(" %g", value);
  printf("\n");
  return values == expected;
}

int main() {
  bool right = true;

  // z = (3x + 2)^2 at x = 2
  Var x = parameter(upload(1, 1, {2}));
  Var y = add(multiply(data(upload(1, 1, {3})), x),
              data(upload(1, 1, {2})));
  Var z = multiply(y, y);
  backward(z);
  right &= is("dz/dx", *x->gradient, {48});
  backward(z);
  right &= is("... a second time", *x->gradient, {96});
  tape.clear();

  // Hours of sun and wind, and what was harvested.
  Var t = data(upload(3, 2, {1, 2, 3, 4, 5, 6}));
  Var minus = data(upload(3, 1, {-1, -4, -8}));
  Var w = parameter(upload(2, 1, {1, 0}));
  Var b = parameter(upload(1, 1, {1}));
  Var r = add(add(product(t, w), b), minus);
  Var error = sum(multiply(r, r));
  backward(error);
  right &= is("error", error->value, {5});
  right &= is("gradient of w", *w->gradient, {-18, -20});
  right &= is("gradient of b", *b->gradient, {-2});

  // Nothing may be freed after main: CUDA can be gone by then.
  tape.clear();
  CHECK(cudaDeviceSynchronize());
  printf("%s\n", right ? "PASS" : "FAIL");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
