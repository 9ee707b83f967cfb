/* SPDX-License-Identifier: BSD-2-Clause */
/* What cores/model.sh puts around a core that Verilator has compiled (class Vmodel). */
#include "gw_model.h"

#include <verilated.h>

#include <new>

#include "Vmodel.h"

namespace
{

struct Model {
    VerilatedContext context;
    Vmodel top{&context};
    bool begun = false;
};

/* A core may look for arguments of the simulation ($value$plusargs): there are none. */
void *make()
{
    static const char *none[] = {"gw_model"};
    Model *model = new (std::nothrow) Model;
    if (model != nullptr)
        model->context.commandArgs(1, none);
    return model;
}

bool step(void *model)
{
    Model *m = static_cast<Model *>(model);
    if (m->context.gotFinish() || (m->begun && !m->top.eventsPending()))
        return false;
    if (m->begun)
        m->context.time(m->top.nextTimeSlot());
    m->begun = true;
    m->top.eval();
    return !m->context.gotFinish();
}

void destroy(void *model)
{
    delete static_cast<Model *>(model);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const gw_model gw_model_here;
const gw_model gw_model_here = {gw_hdl_in_this_process, make, step, destroy};
