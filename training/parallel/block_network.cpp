#include "training/parallel/block_network.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "training/layers.hpp"
#include "training/optimiser.hpp"

namespace warpbook::training {
namespace {

/// Drawn for each block, behind the input and the target.
constexpr std::int64_t kBlockTensors = 4;

/// Part `part` of a tensor's rows, as chunk_begin() cuts them: a view.
Tensor rows_of(const Tensor& all, std::size_t part, std::size_t parts) {
  return all.sliced(0, chunk_begin(all.shape[0], part, parts),
                    chunk_begin(all.shape[0], part + 1, parts));
}

}  // namespace

/// One device: what it has of the network, and what it is at.
struct BlockTraining::Member {
  struct Block {
    std::string name;
    Variable weights1, bias1, weights2, bias2;
  };
  /// A piece of the network that runs on one device without hearing from another, and what it needs to go back.
  struct Segment {
    Tape tape;
    Variable in, out;
  };
  /// A micro-batch between its forward and its backward pass: of each block, the two products up to their sum over the slices, and
  /// the bias behind it. The last segment of the last stage ends in the loss.
  using Pass = std::vector<std::unique_ptr<Segment>>;

  std::size_t device = 0;
  Engine& engine;
  std::vector<Block> blocks;
  Tensor x, target;  ///< of its group's rows; x on the first stage, target on the last
  std::map<std::size_t, Pass> passes;
  std::map<std::size_t, Tensor> arrived;  ///< from another stage, by micro-batch
  std::optional<Tensor> loss;             ///< the sum over the micro-batches, on the last stage
  std::size_t most_kept = 0;
  std::unique_ptr<Bucket> bucket;

  [[nodiscard]] std::vector<Variable> parameters() const {
    std::vector<Variable> all;
    for (const Block& block : blocks)
      all.insert(all.end(), {block.weights1, block.bias1, block.weights2, block.bias2});
    return all;
  }

  /// Begins a segment at `value`, of which a gradient is wanted or not; `then` makes its result.
  template <class Then>
  Tensor run(std::size_t micro_batch, const Tensor& value, bool wants_gradient, Then&& then) {
    Variable in(value.name(), value, wants_gradient);
    auto segment = std::make_unique<Segment>(Segment{Tape(engine), in, in});
    segment->out = then(segment->tape, in);
    const Tensor result = segment->out.value();
    passes[micro_batch].push_back(std::move(segment));
    most_kept = std::max(most_kept, passes.size());
    return result;
  }

  /// Goes back through the last segment that is left of a micro-batch, and gives the gradient of what it began at, if that was wanted.
  std::optional<Tensor> go_back(std::size_t micro_batch, const std::optional<Tensor>& gradient) {
    Pass& pass = passes[micro_batch];
    const std::unique_ptr<Segment> segment = std::move(pass.back());
    pass.pop_back();
    if (gradient)
      segment->tape.backward(segment->out, *gradient, Tape::Keep::nothing);
    else
      segment->tape.backward(segment->out, Tape::Keep::nothing);
    if (pass.empty()) passes.erase(micro_batch);
    return segment->in.gradient();
  }
};

BlockTraining::BlockTraining(Cluster& cluster, const BlockPlan& plan, std::uint64_t seed)
    : cluster_(cluster), plan_(plan) {
  const Split& split = plan.split;
  for (std::size_t group = 0; group < split.data; ++group) {
    for (std::size_t stage = 0; stage < split.pipeline; ++stage) {
      for (std::size_t slice = 0; slice < split.tensor; ++slice)
        members_.push_back(make_member(group, stage, slice, seed));
    }
  }
  cluster_.finish();
}

BlockTraining::~BlockTraining() = default;

std::unique_ptr<BlockTraining::Member> BlockTraining::make_member(std::size_t group,
                                                                  std::size_t stage,
                                                                  std::size_t slice,
                                                                  std::uint64_t seed) {
  const BlockShape& shape = plan_.shape;
  const Split& split = plan_.split;
  const std::size_t device = split.device(group, stage, slice);
  Engine& engine = cluster_.engine(device);
  std::unique_ptr<Member> made(new Member{device, engine, {}, {}, {}, {}, {}, {}, 0, {}});
  Initialiser draw(engine, seed);
  made->x = rows_of(draw.normal("x", {shape.rows, shape.width}, 0, 1), group, split.data);
  made->target =
      rows_of(draw.normal("target", {shape.rows, shape.width}, 0, 1), group, split.data);

  const std::int64_t first = chunk_begin(shape.blocks, stage, split.pipeline),
                     end = chunk_begin(shape.blocks, stage + 1, split.pipeline),
                     begin_column = chunk_begin(shape.hidden, slice, split.tensor),
                     end_column = chunk_begin(shape.hidden, slice + 1, split.tensor);
  draw.skip(kBlockTensors * first);
  for (std::int64_t block = first; block < end; ++block) {
    const std::string name = "block" + std::to_string(block);
    const Engine::LayerScope layer(engine, name);
    const auto drawn = [&](const std::string& tensor, const Extents& whole, std::int64_t inputs) {
      const double bound = 1 / std::sqrt(static_cast<double>(inputs));
      return draw.uniform(tensor, whole, -bound, bound);
    };
    const auto parameter = [&](const std::string& tensor, const Tensor& own) {
      return Variable(name + "." + tensor, engine.contiguous(own), true);
    };
    const auto slice_of = [&](const Tensor& whole, std::size_t axis) {
      return whole.sliced(axis, begin_column, end_column);
    };
    const Tensor w1 = drawn("weights1", {shape.width, shape.hidden}, shape.width),
                 b1 = drawn("bias1", {shape.hidden}, shape.width),
                 w2 = drawn("weights2", {shape.hidden, shape.width}, shape.hidden),
                 b2 = drawn("bias2", {shape.width}, shape.hidden);
    const Variable weights1 = parameter("weights1", slice_of(w1, 1)),
                   bias1 = parameter("bias1", slice_of(b1, 0)),
                   weights2 = parameter("weights2", slice_of(w2, 0)),
                   bias2 = parameter("bias2", b2);
    made->blocks.push_back({name, weights1, bias1, weights2, bias2});
  }
  made->bucket = std::make_unique<Bucket>(engine, made->parameters());
  return made;
}

BlockTraining::Stage BlockTraining::stage_of(std::size_t group, std::size_t stage) const {
  return Stage(members_).subspan(plan_.split.device(group, stage, 0), plan_.split.tensor);
}

void BlockTraining::compute() {
  traffic_.clear();
  for (const auto& member : members_) {
    for (Variable& parameter : member->parameters()) parameter.zero_gradient();
    member->loss.reset();
  }
  walk_turns(plan_.schedule, plan_.split.pipeline, plan_.micro_batches,
             [&](std::size_t stage, const Turn& turn) {
               for (std::size_t group = 0; group < plan_.split.data; ++group) {
                 if (turn.forward)
                   forward(group, stage, turn.micro_batch);
                 else
                   backward(group, stage, turn.micro_batch);
               }
             });
  add_groups();
  cluster_.finish();
}

void BlockTraining::forward(std::size_t group, std::size_t stage, std::size_t micro_batch) {
  const Stage members = stage_of(group, stage);
  const bool is_first = stage == 0, is_last = stage + 1 == plan_.split.pipeline;
  cluster_.arrive();
  std::vector<Tensor> values;
  for (const auto& member : members)
    values.push_back(is_first ? rows_of(member->x, micro_batch, plan_.micro_batches) : member->arrived.at(micro_batch));
  const std::size_t blocks = members.front()->blocks.size();
  for (std::size_t block = 0; block < blocks; ++block) {
    const bool wanted = !is_first || block > 0;  // nobody wants the gradient of the data
    for (std::size_t slice = 0; slice < members.size(); ++slice) {
      const Member::Block& own = members[slice]->blocks[block];
      const Engine::LayerScope layer(members[slice]->engine, own.name);
      values[slice] = members[slice]->run(
          micro_batch, values[slice], wanted, [&](Tape& tape, const Variable& x) {
            const Variable hidden = tape.activate(
                Activation::relu, tape.add(tape.matmul(x, own.weights1), own.bias1));
            return tape.matmul(hidden, own.weights2);
          });
    }
    add_slices(members, values);
    for (std::size_t slice = 0; slice < members.size(); ++slice) {
      Member& member = *members[slice];
      const Member::Block& own = member.blocks[block];
      const Engine::LayerScope layer(member.engine, own.name);
      values[slice] =
          member.run(micro_batch, values[slice], true, [&](Tape& tape, const Variable& sum) {
            const Variable y = tape.add(sum, own.bias2);
            if (!is_last || block + 1 < blocks) return y;
            const Tensor target = rows_of(member.target, micro_batch, plan_.micro_batches);
            // A row counts as much as in the whole batch.
            const float share =
                static_cast<float>(target.shape[0]) / static_cast<float>(plan_.shape.rows);
            return tape.multiply(tape.mean_square_error(y, target), tape.constant(share));
          });
      if (is_last && block + 1 == blocks)
        member.loss = member.loss ? add(member.engine, *member.loss, values[slice]) : values[slice];
    }
  }
  if (!is_first)
    for (const auto& member : members) member->arrived.erase(micro_batch);
  if (!is_last) send(members, stage_of(group, stage + 1), micro_batch, values);
}

void BlockTraining::backward(std::size_t group, std::size_t stage, std::size_t micro_batch) {
  const Stage members = stage_of(group, stage);
  const bool is_first = stage == 0, is_last = stage + 1 == plan_.split.pipeline;
  cluster_.arrive();
  std::vector<std::optional<Tensor>> gradients(members.size());
  if (!is_last) {
    for (std::size_t slice = 0; slice < members.size(); ++slice) {
      gradients[slice] = members[slice]->arrived.at(micro_batch);
      members[slice]->arrived.erase(micro_batch);
    }
  }
  for (std::size_t block = members.front()->blocks.size(); block-- > 0;) {
    std::vector<Tensor> parts;
    for (std::size_t slice = 0; slice < members.size(); ++slice) {
      Member& member = *members[slice];
      const Engine::LayerScope layer(member.engine, member.blocks[block].name);
      const std::optional<Tensor> of_sum = member.go_back(micro_batch, gradients[slice]);
      gradients[slice] = member.go_back(micro_batch, of_sum);
      if (gradients[slice]) parts.push_back(*gradients[slice]);
    }
    // Each slice knows how the loss depends on x by way of its own columns.
    if (!parts.empty()) add_slices(members, parts);
  }
  if (is_first) return;
  std::vector<Tensor> values;
  for (const std::optional<Tensor>& gradient : gradients) values.push_back(*gradient);
  send(members, stage_of(group, stage - 1), micro_batch, values);
}

void BlockTraining::add_slices(Stage stage, const std::vector<Tensor>& values) {
  std::vector<Part> parts;
  for (std::size_t slice = 0; slice < stage.size(); ++slice)
    parts.push_back({stage[slice]->device, values[slice]});
  add_up(parts, Purpose::sums);
}

void BlockTraining::send(Stage from, Stage to, std::size_t micro_batch,
                         const std::vector<Tensor>& values) {
  for (std::size_t slice = 0; slice < from.size(); ++slice) {
    const Tensor dense = from[slice]->engine.contiguous(values[slice]);
    const Tensor place = to[slice]->engine.empty("arrived", dense.shape);
    cluster_.copy(from[slice]->device, dense, to[slice]->device, place);
    to[slice]->arrived[micro_batch] = place;
  }
  note_traffic(Purpose::activations);
}

void BlockTraining::add_groups() {
  for (const auto& member : members_) member->bucket->fill(member->engine);
  for (std::size_t stage = 0; stage < plan_.split.pipeline; ++stage) {
    for (std::size_t slice = 0; slice < plan_.split.tensor; ++slice) {
      std::vector<Part> parts;
      for (std::size_t group = 0; group < plan_.split.data; ++group) {
        const Member& member = *stage_of(group, stage)[slice];
        parts.push_back({member.device, member.bucket->values()});
      }
      add_up(parts, Purpose::gradients);
    }
  }
  for (const auto& member : members_) member->bucket->spread();
}

void BlockTraining::add_up(const std::vector<Part>& parts, Purpose purpose) {
  if (parts.size() == 1) return;
  if (plan_.exchange == Exchange::ring)
    ring_all_reduce(cluster_, parts);
  else
    star_all_reduce(cluster_, parts);
  note_traffic(purpose);
}

void BlockTraining::note_traffic(Purpose purpose) {
  for (const auto& [link, sent] : cluster_.traffic()) {
    Traffic& all = traffic_[purpose][link];
    all.bytes += sent.bytes;
    all.copies += sent.copies;
  }
  cluster_.forget_traffic();
}

void BlockTraining::update(double rate) {
  for (const auto& member : members_) {
    std::vector<Variable> parameters = member->parameters();
    Sgd(rate).step(member->engine, parameters, 1);
  }
  cluster_.finish();
}

double BlockTraining::loss() {
  std::vector<Part> parts;
  for (std::size_t group = 0; group < plan_.split.data; ++group) {
    const auto& member = stage_of(group, plan_.split.pipeline - 1).front();
    // A copy, because the sum takes its place.
    const Tensor sum = member->engine.empty("loss", member->loss->shape);
    member->engine.copy(sum, *member->loss);
    parts.push_back({member->device, sum});
  }
  star_all_reduce(cluster_, parts);
  cluster_.forget_traffic();
  return cluster_.engine(parts.front().device).download(parts.front().values)[0];
}

std::map<std::string, std::vector<float>> BlockTraining::gradients(std::size_t group) {
  const BlockShape& shape = plan_.shape;
  std::map<std::string, std::vector<float>> all;
  // Where a slice's numbers lie in the whole: so many rows, `wide` apart, from the slice's first column on.
  const auto place = [&](const std::string& name, std::int64_t wide, std::int64_t column,
                         const std::vector<float>& part, std::int64_t rows) {
    std::vector<float>& whole = all[name];
    whole.resize(static_cast<std::size_t>(rows * wide));
    const auto columns = static_cast<std::int64_t>(part.size()) / rows;
    for (std::int64_t row = 0; row < rows; ++row) {
      std::copy_n(part.begin() + row * columns, columns, whole.begin() + row * wide + column);
    }
  };
  for (std::size_t stage = 0; stage < plan_.split.pipeline; ++stage) {
    for (std::size_t slice = 0; slice < plan_.split.tensor; ++slice) {
      Member& member = *stage_of(group, stage)[slice];
      const std::int64_t column = chunk_begin(shape.hidden, slice, plan_.split.tensor);
      const auto values = [&](const Variable& of) {
        return member.engine.download(*of.gradient());
      };
      for (const Member::Block& block : member.blocks) {
        place(block.weights1.name(), shape.hidden, column, values(block.weights1), shape.width);
        place(block.bias1.name(), shape.hidden, column, values(block.bias1), 1);
        place(block.weights2.name(), shape.hidden * shape.width, column * shape.width,
              values(block.weights2), 1);
        place(block.bias2.name(), shape.width, 0, values(block.bias2), 1);
      }
    }
  }
  return all;
}

bool BlockTraining::groups_agree() {
  const std::size_t devices_a_group = plan_.split.pipeline * plan_.split.tensor;
  for (std::size_t i = devices_a_group; i < members_.size(); ++i) {
    Member &one = *members_[i], &other = *members_[i % devices_a_group];
    if (one.engine.download(one.bucket->values()) != other.engine.download(other.bucket->values()))
      return false;
  }
  return true;
}

std::int64_t BlockTraining::parameters_of(std::size_t device) const {
  std::int64_t count = 0;
  for (const Variable& parameter : members_[device]->parameters())
    count += parameter.value().count();
  return count;
}

std::size_t BlockTraining::most_kept(std::size_t device) const {
  return members_[device]->most_kept;
}

}  // namespace warpbook::training
