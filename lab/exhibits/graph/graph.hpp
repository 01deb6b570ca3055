// A graph of operations: what went in, what each operation made of it, and the gradients that came back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct GraphExhibit {
  static constexpr std::string_view kKind = "graph";
  /// A tensor: how it lies in memory, and its first elements.
  struct Data {
    std::vector<std::uint64_t> shape;
    std::vector<std::int64_t> strides;  ///< in elements, one for each axis
    std::vector<double> first;
    friend bool operator==(const Data&, const Data&) = default;
  };
  /// What one launch did.
  struct Launch {
    std::string kernel, file;               ///< "sgemm_strided", and where it is below the root
    std::uint64_t blocks = 0, threads = 0;  ///< threads: of a block
    std::uint64_t warp_instructions = 0, bytes = 0;  ///< bytes: moved at L1
    std::uint32_t line = 0;  ///< that most instructions belong to; 0: not known
    friend bool operator==(const Launch&, const Launch&) = default;
  };
  struct Input {
    std::uint32_t node = 0;
    std::optional<Data> gradient;  ///< what came back along this way
    friend bool operator==(const Input&, const Input&) = default;
  };
  struct Node {
    std::string name;       ///< "y"
    std::string operation;  ///< "add"; empty: it was put in
    std::string layer;
    std::vector<Input> inputs;
    Data value;
    bool wants_gradient = false;
    std::optional<Data> gradient;  ///< of all ways together
    std::vector<Launch> forward, backward;
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;  ///< each after its inputs
  friend bool operator==(const GraphExhibit&, const GraphExhibit&) = default;
};
/// So many elements of a tensor are kept.
inline constexpr std::size_t kMostGraphElements = 12;

template <class V>
void fields(V&& visit, Is<GraphExhibit::Data> auto& v) {
  visit("shape", v.shape);
  visit("strides", v.strides);
  visit("first", v.first);
}

template <class V>
void fields(V&& visit, Is<GraphExhibit::Launch> auto& v) {
  visit("kernel", v.kernel);
  visit("file", v.file);
  visit("blocks", v.blocks);
  visit("threads", v.threads);
  visit("warp_instructions", v.warp_instructions);
  visit("bytes", v.bytes);
  visit("line", v.line);
}

template <class V>
void fields(V&& visit, Is<GraphExhibit::Input> auto& v) {
  visit("node", v.node);
  visit("gradient", v.gradient);
}

template <class V>
void fields(V&& visit, Is<GraphExhibit::Node> auto& v) {
  visit("name", v.name);
  visit("operation", v.operation);
  visit("layer", v.layer);
  visit("inputs", v.inputs);
  visit("value", v.value);
  visit("wants_gradient", v.wants_gradient);
  visit("gradient", v.gradient);
  visit("forward", v.forward);
  visit("backward", v.backward);
}

template <class V>
void fields(V&& visit, Is<GraphExhibit> auto& v) {
  visit("nodes", v.nodes);
}
/// Inputs come before what is made of them, operations alone have some, and each axis has a stride.
bool valid(const GraphExhibit& v);

std::string sentence_of(const GraphExhibit& graph, const Strings& strings);
void text_body(const GraphExhibit& graph, const Strings& strings, Page& page);
std::string html_body(const GraphExhibit& graph, const Strings& strings,
                      const std::string& caption);
Table table_of(const GraphExhibit& graph, const Strings& strings);
void compare(const GraphExhibit& a, const GraphExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
