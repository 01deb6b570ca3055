#include "training/graph.hpp"

#include <algorithm>
#include <optional>

namespace warpbook::training {
namespace {

using Graph = lab::GraphExhibit;

/// Where the element at a position in row-major order lies, from the tensor's first one on.
std::int64_t place_of(const Tensor& tensor, std::int64_t position) {
  std::int64_t place = 0;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0; position /= tensor.shape[axis])
    place += position % tensor.shape[axis] * tensor.strides[axis];
  return place;
}

std::vector<double> first_elements(Engine& engine, const Tensor& tensor) {
  const std::int64_t shown =
      std::min(tensor.count(), static_cast<std::int64_t>(lab::kMostGraphElements));
  std::int64_t reached = 0;
  for (std::int64_t i = 0; i < shown; ++i) reached = std::max(reached, place_of(tensor, i) + 1);
  Tensor words = tensor;
  words.shape = {reached};
  words.strides = {1};
  std::vector<float> memory(static_cast<std::size_t>(reached));
  engine.copy_out(words, std::as_writable_bytes(std::span(memory)));
  std::vector<double> elements;
  for (std::int64_t i = 0; i < shown; ++i)
    elements.push_back(static_cast<double>(memory[static_cast<std::size_t>(place_of(tensor, i))]));
  return elements;
}

Graph::Data data_of(Engine& engine, const Tensor& tensor) {
  return {{tensor.shape.begin(), tensor.shape.end()},
          tensor.strides,
          first_elements(engine, tensor)};
}

/// The line of the kernel that most of the warps' instructions belong to.
std::uint32_t busiest_line(const device::LaunchRecord& record) {
  const auto busiest = std::ranges::max_element(record.lines, {}, [](const auto& line) {
    return line.counters.warp_instructions;
  });
  return busiest == record.lines.end() ? 0 : busiest->line;
}

std::vector<Graph::Launch> launches_in(const Engine& engine, const LaunchRange& range) {
  std::vector<Graph::Launch> launches;
  for (std::uint64_t number = std::max(range.begin, engine.first_noted()); number < range.end;
       ++number) {
    const std::uint64_t noted = number - engine.first_noted();
    if (noted >= engine.launches().size()) break;
    const NotedLaunch& launch = engine.launches()[noted];
    if (!launch.record) continue;
    const device::LaunchRecord& record = *launch.record;
    launches.push_back({record.kernel, launch.kernel_file, record.grid.count(),
                        record.block.count(), record.total.warp_instructions,
                        record.total.global_sectors * device::kSectorBytes, busiest_line(record)});
  }
  return launches;
}

class GraphMaker {
 public:
  GraphMaker(Tape& tape, const GraphNames& names)
      : tape_(tape), engine_(tape.engine()), names_(names) {}

  Graph make() {
    engine_.finish();
    for (const Tape::Node& node : tape_.nodes()) add(node);
    return std::move(made_);
  }

 private:
  void add(const Tape::Node& node) {
    std::vector<Graph::Input> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      Graph::Input input{number_of(node.inputs[i]), std::nullopt};
      if (i < node.gradients.size() && node.gradients[i])
        input.gradient = data_of(engine_, *node.gradients[i]);
      inputs.push_back(std::move(input));
    }
    Graph::Node& made = made_.nodes[number_of(node.output)];
    made.operation = node.operation;
    made.layer = node.layer;
    made.inputs = std::move(inputs);
    made.forward = launches_in(engine_, node.forward);
    made.backward = launches_in(engine_, node.backward);
  }

  /// Of what is met for the first time, a new node: an operation's inputs are met before its result.
  std::uint32_t number_of(const Variable& variable) {
    const auto known = std::ranges::find(met_, variable);
    if (known != met_.end()) return static_cast<std::uint32_t>(known - met_.begin());
    Graph::Node node;
    node.name = name_of(variable);
    node.value = data_of(engine_, variable.value());
    node.wants_gradient = variable.wants_gradient();
    if (variable.gradient()) node.gradient = data_of(engine_, *variable.gradient());
    made_.nodes.push_back(std::move(node));
    met_.push_back(variable);
    return static_cast<std::uint32_t>(met_.size() - 1);
  }

  [[nodiscard]] std::string name_of(const Variable& variable) const {
    const auto named = std::ranges::find(names_, variable, &GraphNames::value_type::first);
    return named == names_.end() ? variable.name() : named->second;
  }

  Tape& tape_;
  Engine& engine_;
  const GraphNames& names_;
  std::vector<Variable> met_;
  Graph made_;
};

}  // namespace

lab::GraphExhibit graph_of(Tape& tape, const GraphNames& names) {
  return GraphMaker(tape, names).make();
}

}  // namespace warpbook::training
