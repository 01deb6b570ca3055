#include "tests/device/libraries/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpbook::tests {

using namespace device::libraries;

namespace {

std::size_t at(const Shape& s, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  return static_cast<std::size_t>(((n * s.c + c) * s.h + h) * s.w + w);
}

/// Calls `visit(n, c, h, w)` for every element.
template <class Visit>
void each(const Shape& s, Visit visit) {
  for (std::int64_t n = 0; n < s.n; ++n)
    for (std::int64_t c = 0; c < s.c; ++c)
      for (std::int64_t h = 0; h < s.h; ++h)
        for (std::int64_t w = 0; w < s.w; ++w) visit(n, c, h, w);
}

/// Calls `visit(r, s, h, w)` for every place of the window over the output (oh, ow) that lies in the image.
template <class Visit>
void window(const Problem& p, std::int64_t oh, std::int64_t ow, Visit visit) {
  for (std::int64_t r = 0; r < p.window.h; ++r) {
    for (std::int64_t s = 0; s < p.window.w; ++s) {
      const std::int64_t h = oh * p.stride.h - p.pad.h + r * p.dilation.h;
      const std::int64_t w = ow * p.stride.w - p.pad.w + s * p.dilation.w;
      if (h >= 0 && h < p.image.h && w >= 0 && w < p.image.w) visit(r, s, h, w);
    }
  }
}

std::vector<double> convolution(const Problem& p, const Numbers& a, const Numbers& b) {
  // Filter k is of group k / (K / groups), and its channel c is that group's c-th of the image.
  const Shape x = p.image, w{p.filters, x.c / p.groups, p.window.h, p.window.w}, y = result_of(p);
  std::vector<double> out(static_cast<std::size_t>(tensors_of(p).output.shape.count()));
  each(y, [&](std::int64_t n, std::int64_t k, std::int64_t oh, std::int64_t ow) {
    window(p, oh, ow, [&](std::int64_t r, std::int64_t s, std::int64_t h, std::int64_t v) {
      for (std::int64_t c = 0; c < w.c; ++c) {
        const std::int64_t first = k / (p.filters / p.groups) * w.c;
        const std::size_t ix = at(x, n, first + c, h, v), iw = at(w, k, c, r, s),
                          iy = at(y, n, k, oh, ow);
        if (p.pass == Pass::forward) out[iy] += double{a[ix]} * b[iw];
        if (p.pass == Pass::data) out[ix] += double{a[iy]} * b[iw];
        if (p.pass == Pass::filter) out[iw] += double{a[ix]} * b[iy];
      }
    });
  });
  return out;
}

std::vector<double> matmul(const Problem& p, const Numbers& a, const Numbers& b) {
  std::vector<double> c(static_cast<std::size_t>(p.m * p.n));
  for (std::int64_t i = 0; i < p.m; ++i)
    for (std::int64_t l = 0; l < p.k; ++l)
      for (std::int64_t j = 0; j < p.n; ++j)
        c[static_cast<std::size_t>(i * p.n + j)] +=
            double{a[static_cast<std::size_t>(i * p.k + l)]} *
            b[static_cast<std::size_t>(l * p.n + j)];
  return c;
}

std::vector<double> softmax(const Problem& p, const std::vector<Numbers>& in) {
  const Shape& s = p.image;
  std::vector<double> out(static_cast<std::size_t>(s.count()));
  each({s.n, 1, s.h, s.w}, [&](std::int64_t n, std::int64_t, std::int64_t h, std::int64_t w) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::int64_t c = 0; c < s.c; ++c)
      largest = std::max<double>(largest, in[0][at(s, n, c, h, w)]);
    for (std::int64_t c = 0; c < s.c; ++c) {
      const std::size_t i = at(s, n, c, h, w);
      sum += p.pass == Pass::forward ? std::exp(in[0][i] - largest) : double{in[0][i]} * in[1][i];
    }
    for (std::int64_t c = 0; c < s.c; ++c) {
      const std::size_t i = at(s, n, c, h, w);
      out[i] = p.pass == Pass::forward ? std::exp(in[0][i] - largest) / sum
                                       : in[0][i] * (in[1][i] - sum);
    }
  });
  return out;
}

double activated(Activation which, double x) {
  switch (which) {
    case Activation::relu: return std::max(x, 0.0);
    case Activation::sigmoid: return 1 / (1 + std::exp(-x));
    case Activation::tanh: return std::tanh(x);
    case Activation::gelu: return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  }
  return 0;
}

double slope(Activation which, double x) {
  const double y = activated(which, x);
  switch (which) {
    case Activation::relu: return x > 0 ? 1 : 0;
    case Activation::sigmoid: return y * (1 - y);
    case Activation::tanh: return 1 - y * y;
    case Activation::gelu:
      return 0.5 * (1 + std::erf(x / std::sqrt(2.0))) +
             x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
  }
  return 0;
}

std::vector<double> activation(const Problem& p, const std::vector<Numbers>& in) {
  std::vector<double> out;
  for (std::size_t i = 0; i < in[0].size(); ++i) {
    out.push_back(p.pass == Pass::forward ? activated(p.activation, in[0][i])
                                          : in[2][i] * slope(p.activation, in[0][i]));
  }
  return out;
}

std::vector<double> pooling(const Problem& p, const std::vector<Numbers>& in) {
  const Shape x = p.image, y = result_of(p);
  const bool forward = p.pass == Pass::forward;
  std::vector<double> out(static_cast<std::size_t>(forward ? y.count() : x.count()));
  each(y, [&](std::int64_t n, std::int64_t c, std::int64_t oh, std::int64_t ow) {
    const std::size_t iy = at(y, n, c, oh, ow);
    double sum = 0, largest = -std::numeric_limits<double>::infinity();
    std::size_t of_largest = 0;
    std::int64_t inside = 0;
    window(p, oh, ow, [&](std::int64_t, std::int64_t, std::int64_t h, std::int64_t w) {
      const std::size_t ix = at(x, n, c, h, w);
      sum += in[0][ix];
      ++inside;
      if (in[0][ix] > largest) {
        largest = in[0][ix];
        of_largest = ix;
      }
    });
    const double count = p.pooling == Pooling::average_all
                             ? static_cast<double>(p.window.h * p.window.w)
                             : static_cast<double>(inside);
    if (forward) {
      out[iy] = p.pooling == Pooling::max ? largest : sum / count;
    } else if (p.pooling == Pooling::max) {
      out[of_largest] += in[2][iy];
    } else {
      window(p, oh, ow, [&](std::int64_t, std::int64_t, std::int64_t h, std::int64_t w) {
        out[at(x, n, c, h, w)] += in[2][iy] / count;
      });
    }
  });
  return out;
}

}  // namespace

std::vector<double> reference(const Problem& p, const std::vector<Numbers>& in) {
  switch (p.kind) {
    case ProblemKind::convolution: return convolution(p, in[0], in[1]);
    case ProblemKind::matmul: return matmul(p, in[0], in[1]);
    case ProblemKind::softmax: return softmax(p, in);
    case ProblemKind::activation: return activation(p, in);
    case ProblemKind::pooling: return pooling(p, in);
  }
  return {};
}

std::vector<Numbers> inputs_for(const Problem& problem, bool whole) {
  std::vector<Numbers> inputs;
  std::uint32_t state = 7;
  for (const Tensor& tensor : tensors_of(problem).inputs) {
    Numbers& numbers = inputs.emplace_back();
    for (std::int64_t i = 0; i < tensor.shape.count(); ++i) {
      state = state * 1103515245u + 12345u;
      const auto eight = static_cast<std::int32_t>(state >> 16 & 0xff) - 128;
      const std::int32_t quotient = eight / 32;
      numbers.push_back(whole
                            ? static_cast<float>(quotient)
                            : static_cast<float>(eight) / 64.0f + static_cast<float>(i % 7) / 512);
    }
  }
  // y is what the forward pass makes.
  if (problem.pass != Pass::forward && problem.kind != ProblemKind::convolution) {
    Problem forward = problem;
    forward.pass = Pass::forward;
    const std::size_t y = problem.kind == ProblemKind::softmax ? 0 : 1;
    const auto computed = reference(forward, {inputs[0]});
    inputs[y].assign(computed.begin(), computed.end());
  }
  return inputs;
}

double relative_error(const Numbers& got, const std::vector<double>& truth) {
  double off = 0, all = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    off += (got.at(i) - truth[i]) * (got.at(i) - truth[i]);
    all += truth[i] * truth[i];
  }
  if (all == 0) return std::sqrt(off);
  return std::sqrt(off / all);
}

}  // namespace warpbook::tests
