// SPDX-License-Identifier: GPL-2.0
/*
 * Software fences for self-tests on any device: a timeline and its fences belong to an open file of
 * /dev/framewait; each fence holds the module, also when only someone else still has it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-fence.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "framewait.h"

/* A fence with a time holds the module until then. */
#define AT_MAX (3600ull * NSEC_PER_SEC)
#define TIMELINES_MAX 1024u
/* That have not signaled, of one timeline: find_fence() walks them with interrupts off. */
#define FENCES_MAX 4096u

/**
 * struct timeline - a fence context
 * @refs: of its open file and of each fence
 * @node: in the open file's list
 * @context: of all its fences
 * @name: what they say as their timeline
 * @lock: protects @fences; taken in the timer interrupt
 * @fences: those that have not signaled; the list holds a reference on each
 * @n_fences: in @fences
 */
struct timeline {
	struct kref refs;
	struct list_head node;
	u64 context;
	char name[FRAMEWAIT_NAME_LEN];
	spinlock_t lock;
	struct list_head fences;
	unsigned int n_fences;
};

struct sw_fence {
	struct dma_fence base;
	spinlock_t lock;
	struct timeline *timeline;
	struct list_head node;
	struct hrtimer timer;
	u64 stamp;
	int error;
	bool never, timed;
};

/* What an open file has. */
struct owner {
	struct mutex lock;
	struct list_head timelines;
	unsigned int n_timelines;
};

static struct sw_fence *sw_fence_of(struct dma_fence *fence)
{
	return container_of(fence, struct sw_fence, base);
}

static void timeline_free(struct kref *refs)
{
	kfree(container_of(refs, struct timeline, refs));
}

static const char *sw_driver_name(struct dma_fence *fence)
{
	return "framewait";
}

static const char *sw_timeline_name(struct dma_fence *fence)
{
	return sw_fence_of(fence)->timeline->name;
}

static void sw_free(struct rcu_head *rcu)
{
	struct sw_fence *f = container_of(rcu, struct sw_fence, base.rcu);

	kref_put(&f->timeline->refs, timeline_free);
	kfree(f);
	/* fw_sw_exit() waits until this function has returned. */
	module_put(THIS_MODULE);
}

static void sw_release(struct dma_fence *fence)
{
	call_rcu(&fence->rcu, sw_free);
}

static const struct dma_fence_ops sw_ops = {
	FW_COMPAT_OPS_SEQNO64.get_driver_name = sw_driver_name,
	.get_timeline_name = sw_timeline_name,
	.release = sw_release,
};

/* Whoever takes a fence from its timeline's list signals it, and has the list's reference. */
static void signal_taken(struct sw_fence *f)
{
	if (f->error)
		dma_fence_set_error(&f->base, f->error);
	if (f->stamp)
		fw_compat_signal_at(&f->base, f->stamp);
	else
		dma_fence_signal(&f->base);
	dma_fence_put(&f->base);
}

static void take(struct sw_fence *f)
{
	lockdep_assert_held(&f->timeline->lock);
	list_del_init(&f->node);
	f->timeline->n_fences--;
}

static enum hrtimer_restart on_time(struct hrtimer *timer)
{
	struct sw_fence *f = container_of(timer, struct sw_fence, timer);
	struct timeline *t = f->timeline;
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	take(f);
	spin_unlock_irqrestore(&t->lock, flags);
	/* The memory outlives this interrupt: it is freed by RCU. */
	signal_taken(f);
	return HRTIMER_NORESTART;
}

static struct timeline *find_timeline(struct owner *o, u64 context)
{
	struct timeline *t;

	list_for_each_entry(t, &o->timelines, node)
	{
		if (t->context == context)
			return t;
	}
	return NULL;
}

static struct sw_fence *find_fence(struct timeline *t, u64 seqno)
{
	struct sw_fence *f;

	list_for_each_entry(f, &t->fences, node)
	{
		if (f->base.seqno == seqno)
			return f;
	}
	return NULL;
}

static long timeline_ioctl(struct owner *o, struct framewait_timeline __user *arg)
{
	struct framewait_timeline a;
	struct timeline *t;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	if (a.context && a.context >> 32 == 0)
		return -EINVAL;
	if (a.context && find_timeline(o, a.context))
		return -EEXIST;
	if (o->n_timelines >= TIMELINES_MAX)
		return -ENOSPC;
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return -ENOMEM;
	kref_init(&t->refs);
	spin_lock_init(&t->lock);
	INIT_LIST_HEAD(&t->fences);
	strscpy(t->name, a.name, sizeof(t->name));
	t->context = a.context ? a.context : dma_fence_context_alloc(1);
	a.context = t->context;
	if (copy_to_user(arg, &a, sizeof(a))) {
		kfree(t);
		return -EFAULT;
	}
	list_add_tail(&t->node, &o->timelines);
	o->n_timelines++;
	return 0;
}

/* Return: a fence in its timeline's list, with a reference for the caller, or an error. */
static struct sw_fence *make_fence(struct timeline *t, const struct framewait_create *a)
{
	struct sw_fence *f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	int err = 0;

	if (!f)
		return ERR_PTR(-ENOMEM);
	spin_lock_init(&f->lock);
	fw_compat_timer_setup(&f->timer, on_time);
	f->never = a->flags & FRAMEWAIT_NEVER;
	f->timeline = t;
	spin_lock_irq(&t->lock);
	if (find_fence(t, a->seqno))
		err = -EEXIST;
	else if (t->n_fences >= FENCES_MAX)
		err = -ENOSPC;
	spin_unlock_irq(&t->lock);
	if (err) {
		kfree(f);
		return ERR_PTR(err);
	}
	/* From here on the fence is freed by its references alone. The open file holds the module. */
	__module_get(THIS_MODULE);
	kref_get(&t->refs);
	fw_compat_fence_init(&f->base, &sw_ops, &f->lock, t->context, a->seqno);
	dma_fence_get(&f->base);
	spin_lock_irq(&t->lock);
	list_add_tail(&f->node, &t->fences);
	t->n_fences++;
	spin_unlock_irq(&t->lock);
	return f;
}

static void forget_fence(struct sw_fence *f)
{
	spin_lock_irq(&f->timeline->lock);
	take(f);
	spin_unlock_irq(&f->timeline->lock);
	dma_fence_put(&f->base);
}

static long create_ioctl(struct owner *o, struct framewait_create __user *arg)
{
	struct framewait_create a;
	struct sync_file *file;
	struct timeline *t;
	struct sw_fence *f;
	int fd, err;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	if (a.flags & ~FRAMEWAIT_NEVER)
		return -EINVAL;
	t = find_timeline(o, a.context);
	if (!t)
		return -ENOENT;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	f = make_fence(t, &a);
	if (IS_ERR(f)) {
		err = PTR_ERR(f);
		goto out_fd;
	}
	err = -ENOMEM;
	file = sync_file_create(&f->base);
	if (!file)
		goto out_fence;
	a.fd = fd;
	err = -EFAULT;
	if (copy_to_user(arg, &a, sizeof(a)))
		goto out_file;
	fd_install(fd, file->file);
	dma_fence_put(&f->base);
	return 0;

out_file:
	fput(file->file);
out_fence:
	forget_fence(f);
	dma_fence_put(&f->base);
out_fd:
	put_unused_fd(fd);
	return err;
}

static bool too_late(u64 at)
{
	u64 now = ktime_get_ns();

	return at > now && at - now > AT_MAX;
}

static long signal_ioctl(struct owner *o, struct framewait_signal __user *arg)
{
	struct framewait_signal a;
	struct timeline *t;
	struct sw_fence *f;
	long err = 0;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	if (a.unused || a.error > 0 || a.error < -MAX_ERRNO || too_late(a.at) ||
	    a.stamp > KTIME_MAX)
		return -EINVAL;
	if (a.stamp && !FW_COMPAT_HAS_STAMP)
		return -EOPNOTSUPP;
	t = find_timeline(o, a.context);
	if (!t)
		return -ENOENT;
	spin_lock_irq(&t->lock);
	f = find_fence(t, a.seqno);
	if (!f) {
		err = -ENOENT;
	} else if (f->timed) {
		err = -EALREADY;
	} else {
		f->error = a.error;
		f->stamp = a.stamp;
		f->timed = a.at;
		if (a.at)
			hrtimer_start(&f->timer, ns_to_ktime(a.at), HRTIMER_MODE_ABS);
		else
			take(f);
	}
	spin_unlock_irq(&t->lock);
	if (!err && !a.at)
		signal_taken(f);
	return err;
}

long fw_sw_ioctl(struct file *file, unsigned int cmd, void __user *arg)
{
	struct owner *o = file->private_data;
	long err;

	mutex_lock(&o->lock);
	switch (cmd) {
	case FRAMEWAIT_IOC_TIMELINE:
		err = timeline_ioctl(o, arg);
		break;
	case FRAMEWAIT_IOC_CREATE:
		err = create_ioctl(o, arg);
		break;
	case FRAMEWAIT_IOC_SIGNAL:
		err = signal_ioctl(o, arg);
		break;
	default:
		err = -ENOTTY;
	}
	mutex_unlock(&o->lock);
	return err;
}

int fw_sw_open(struct file *file)
{
	struct owner *o = kzalloc(sizeof(*o), GFP_KERNEL);

	if (!o)
		return -ENOMEM;
	mutex_init(&o->lock);
	INIT_LIST_HEAD(&o->timelines);
	file->private_data = o;
	return 0;
}

/* A fence with a time keeps it; the others signal now or, if so wanted, never. */
static void end_timeline(struct timeline *t)
{
	struct sw_fence *f, *next;
	LIST_HEAD(left);

	spin_lock_irq(&t->lock);
	list_for_each_entry_safe(f, next, &t->fences, node)
	{
		if (f->timed)
			continue;
		take(f);
		list_add_tail(&f->node, &left);
	}
	spin_unlock_irq(&t->lock);
	list_for_each_entry_safe(f, next, &left, node)
	{
		list_del_init(&f->node);
		if (f->never) {
			dma_fence_put(&f->base);
			continue;
		}
		f->error = -ENOENT;
		signal_taken(f);
	}
	kref_put(&t->refs, timeline_free);
}

void fw_sw_release(struct file *file)
{
	struct owner *o = file->private_data;
	struct timeline *t, *next;

	list_for_each_entry_safe(t, next, &o->timelines, node)
	{
		list_del(&t->node);
		end_timeline(t);
	}
	kfree(o);
}

void fw_sw_exit(void)
{
	rcu_barrier();
}
