#include "lessons/convolution/layer.hpp"

#include <algorithm>

#include "lessons/common.hpp"

namespace warpbook::lessons::convolution {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Outputs whose tap lies in the image, along one axis: [first, end).
struct Reach {
  std::int64_t first, end, start;  ///< start: where output 0's tap lies
};
Reach reach_of(const Layer& layer, std::int64_t tap) {
  const std::int64_t start = tap * layer.dilation - layer.pad;
  const std::int64_t first = start >= 0 ? 0 : (-start + layer.stride - 1) / layer.stride;
  const std::int64_t last = layer.side - 1 - start;
  return {first, last < 0 ? first : std::min(layer.out, last / layer.stride + 1), start};
}

/// Products of one weight, neighbours in a row of y: indices of the first.
struct Row {
  std::size_t in, weight, out;
  std::size_t count, stride;  ///< from one to the next, in x
};

/// visit(row) for all products that are not with the padding.
template <class Visit>
void for_each_row(const Layer& layer, const Visit& visit) {
  for (std::int64_t filter = 0; filter < layer.filters; ++filter) {
    for (std::int64_t channel = 0; channel < layer.channels; ++channel) {
      for (std::int64_t u = 0; u < layer.taps; ++u) {
        for (std::int64_t v = 0; v < layer.taps; ++v) {
          const std::size_t weight =
              at(((filter * layer.channels + channel) * layer.taps + u) * layer.taps + v);
          const Reach rows = reach_of(layer, u), columns = reach_of(layer, v);
          for (std::int64_t i = rows.first; i < rows.end; ++i) {
            const std::int64_t row = i * layer.stride + rows.start;
            const std::int64_t in = (channel * layer.side + row) * layer.side + columns.start,
                               out = (filter * layer.out + i) * layer.out;
            if (columns.first >= columns.end) continue;
            visit(Row{at(in + columns.first * layer.stride), weight, at(out + columns.first),
                      at(columns.end - columns.first), at(layer.stride)});
          }
        }
      }
    }
  }
}

}  // namespace

std::int64_t out_side(const Layer& layer) {
  const std::int64_t room = layer.side + 2 * layer.pad - layer.dilation * (layer.taps - 1) - 1;
  return room < 0 ? 0 : room / layer.stride + 1;
}

device::Budget budget_of(const Layer& layer) {
  device::Budget budget = lab::lesson_budget();
  budget.seconds = std::max(budget.seconds, kPatience);
  if (layer.products() <= kMostSideProducts) return budget;
  constexpr std::uint64_t kMostAProduct = 64;  // thread instructions; the direct kernel takes 14
  budget.thread_instructions += kMostAProduct * static_cast<std::uint64_t>(layer.products());
  budget.seconds = 120;
  return budget;
}

Layer layer_of(lab::Lab& lab) {
  Layer layer{
      lab.integer("channels"),       lab.integer("side"), lab.integer("filters"),  lab.integer("K"),
      lab.integer("stride"),         lab.integer("pad"),  lab.integer("dilation"), 0,
      lab.choice("layout") == "nhwc"};
  layer.out = out_side(layer);
  return layer;
}

Numbers numbers_of(const Layer& layer) {
  Numbers made;
  for (std::int64_t i = 0; i < layer.inputs(); ++i)
    made.x.push_back(static_cast<float>((i * 5 + i / layer.side * 3 + i * i % 7) % 16));
  for (std::int64_t i = 0; i < layer.weights(); ++i)
    made.weights.push_back(static_cast<float>((i * 2 + i * i / 3) % 5 - 2));
  for (std::int64_t i = 0; i < layer.filters; ++i)
    made.bias.push_back(static_cast<float>(i % 3 - 1));
  for (std::int64_t i = 0; i < layer.outputs(); ++i)
    made.dy.push_back(static_cast<float>((i * 7 + i / 5) % 5 - 2));
  return made;
}

std::vector<float> forward(const Layer& layer, const Numbers& numbers) {
  std::vector<float> y;
  y.reserve(at(layer.outputs()));
  for (const float bias : numbers.bias) y.insert(y.end(), at(layer.out * layer.out), bias);
  for_each_row(layer, [&](const Row& row) {
    const float *x = numbers.x.data() + row.in, weight = numbers.weights[row.weight];
    float* const to = y.data() + row.out;
    for (std::size_t j = 0; j < row.count; ++j) to[j] += x[j * row.stride] * weight;
  });
  return y;
}

std::vector<float> backward_data(const Layer& layer, const Numbers& numbers) {
  std::vector<float> dx(at(layer.inputs()), 0.0f);
  for_each_row(layer, [&](const Row& row) {
    const float *dy = numbers.dy.data() + row.out, weight = numbers.weights[row.weight];
    float* const to = dx.data() + row.in;
    for (std::size_t j = 0; j < row.count; ++j) to[j * row.stride] += dy[j] * weight;
  });
  return dx;
}

std::vector<float> backward_filter(const Layer& layer, const Numbers& numbers) {
  std::vector<float> dweights(at(layer.weights()), 0.0f);
  for_each_row(layer, [&](const Row& row) {
    const float *x = numbers.x.data() + row.in, *dy = numbers.dy.data() + row.out;
    float& sum = dweights[row.weight];
    for (std::size_t j = 0; j < row.count; ++j) sum += x[j * row.stride] * dy[j];
  });
  return dweights;
}

std::vector<float> laid_out(const Layer& layer, std::vector<float> values, std::int64_t outer,
                            std::int64_t channels, std::int64_t inner) {
  if (!layer.channels_last) return values;
  std::vector<float> turned(values.size());
  std::size_t from = 0;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t c = 0; c < channels; ++c) {
      for (std::int64_t i = 0; i < inner; ++i)
        turned[at((o * inner + i) * channels + c)] = values[from++];
    }
  }
  return turned;
}

std::vector<float> channels_first(const Layer& layer, std::vector<float> values, std::int64_t outer,
                                  std::int64_t channels, std::int64_t inner) {
  // [outer][inner][channels] is what laid_out() makes of [outer][channels][inner]; so is the reverse of it.
  return laid_out(layer, std::move(values), outer, inner, channels);
}

}  // namespace warpbook::lessons::convolution
